/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The word `curl` as the TARGET of a load: what stands after it is curl's command line.
 */
#ifndef CMD_CURL_WORD_H
#define CMD_CURL_WORD_H

#include "opt/opt.h"

/* Where in argv, from `first` on, it stands; -1 when the first word that is neither an option nor
 * the value of one is another, or there is none. */
int curl_word_find(const struct opt_spec *spec, int first, int argc, char *const *argv);

#endif
