/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is wrong with a request: the status that says so, and the words for the answer's body.
 */
#ifndef HTTP_H1_REQUEST_ERROR_H
#define HTTP_H1_REQUEST_ERROR_H

#define H1_REQUEST_ERROR_LIST(X)                                                                   \
    X(NONE, 200, "no error")                                                                       \
    X(METHOD, 400, "the method is not a token of at most 23 letters")                              \
    X(TARGET, 400, "the target is empty or holds a byte that may not stand in it")                 \
    X(TARGET_TOO_LONG, 414, "the target is longer than 16 KiB")                                    \
    X(LINE, 400, "the first line does not end in an HTTP version")                                 \
    X(VERSION, 505, "the version is not HTTP/1.0 or HTTP/1.1")                                     \
    X(HEADER_NAME, 400, "a header line has no name, no colon, or a blank in the wrong place")      \
    X(CONTROL_BYTE, 400, "a header holds a control byte")                                          \
    X(HOST, 400, "a request of HTTP/1.1 has one Host header, no more and no less")                 \
    X(LENGTH, 400, "content-length is not a number, is given twice, or beside a coding")           \
    X(CODING, 501, "the only transfer-encoding known is chunked, in HTTP/1.1")                     \
    X(CHUNK, 400, "a chunk does not begin with its size or does not end where it says")            \
    X(HEAD_TOO_BIG, 431, "the head is larger than 64 KiB")

enum h1_request_error {
#define H1_REQUEST_ERROR_ENUM(name, status, text) H1_REQUEST_ERROR_##name,
    H1_REQUEST_ERROR_LIST(H1_REQUEST_ERROR_ENUM)
#undef H1_REQUEST_ERROR_ENUM
        H1_REQUEST_ERROR_COUNT
};

const char *h1_request_error_text(enum h1_request_error error);
int h1_request_error_status(enum h1_request_error error);

#endif
