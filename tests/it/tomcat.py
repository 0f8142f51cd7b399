# SPDX-License-Identifier: Apache-2.0
"""tomcat10 with a configuration of its own, started as its script starts it: a java process of its own."""

import glob
import http.client
import os

from server import TLS_VERSIONS, Server, accepts, free_port, need, need_descriptors, write_pages
from tap import Skip, scratch

HOME = "/usr/share/tomcat10"

SERVER_XML = """<?xml version="1.0" encoding="UTF-8"?>
<Server port="-1">
  <Service name="Catalina">
    <Connector port="%(port)d" %(common)s/>
    <Connector unixDomainSocketPath="%(unix)s" unixDomainSocketPathPermissions="rw-rw-rw-" %(common)s/>
    %(tls)s
    <Engine name="Catalina" defaultHost="localhost">
      <Host name="localhost" appBase="apps" autoDeploy="false" deployOnStartup="false">
        <Context path="" docBase="%(dir)s/www" reloadable="false"/>
        <Valve className="org.apache.catalina.valves.AccessLogValve" directory="%(dir)s" prefix="access" suffix=".log"
               rotatable="false" buffered="false" pattern="%(pattern)s"/>
      </Host>
    </Engine>
  </Service>
</Server>
"""

COMMON = """address="127.0.0.1" protocol="org.apache.coyote.http11.Http11NioProtocol" acceptCount="4096" maxThreads="16"
               connectionTimeout="60000" keepAliveTimeout="60000" maxKeepAliveRequests="%d" maxPostSize="-1" maxSwallowSize="-1"
               compression="on" compressionMinSize="1000" """

TLS = """<Connector port="%(port)d" SSLEnabled="true" scheme="https" secure="true" %(common)s>
      <SSLHostConfig protocols="%(versions)s" %(more)s>
        <Certificate certificateFile="%(chain)s" certificateKeyFile="%(key)s" type="EC"/>
      </SSLHostConfig>
    </Connector>"""

WEB_XML = """<?xml version="1.0" encoding="UTF-8"?>
<web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0" metadata-complete="true">
  <servlet>
    <servlet-name>default</servlet-name>
    <servlet-class>org.apache.catalina.servlets.DefaultServlet</servlet-class>
    <load-on-startup>1</load-on-startup>
  </servlet>
  <servlet>
    <servlet-name>jsp</servlet-name>
    <servlet-class>org.apache.jasper.servlet.JspServlet</servlet-class>
    <init-param><param-name>development</param-name><param-value>false</param-value></init-param>
    <load-on-startup>2</load-on-startup>
  </servlet>
  <servlet-mapping><servlet-name>default</servlet-name><url-pattern>/</url-pattern></servlet-mapping>
  <servlet-mapping><servlet-name>jsp</servlet-name><url-pattern>*.jsp</url-pattern></servlet-mapping>
  <welcome-file-list><welcome-file>index.html</welcome-file></welcome-file-list>
</web-app>
"""

# n lines, each sent at once when flush is given, and the end.
LINES_JSP = """<%@page contentType="text/html;charset=US-ASCII" session="false" trimDirectiveWhitespaces="true"%><%
int lines = Integer.parseInt(request.getParameter("n"));
boolean flush = request.getParameter("flush") != null;
for (int i = 0; i < lines; i++) {
    out.print(String.format("%063d", i));
    out.print('\\n');
    if (flush) {
        out.flush();
    }
}
out.print("the end");
%>"""

# What came with a POST: its digest.
DIGEST_JSP = """<%@page contentType="text/plain" session="false" trimDirectiveWhitespaces="true"%><%
java.security.MessageDigest digest = java.security.MessageDigest.getInstance("MD5");
java.io.InputStream in = request.getInputStream();
byte[] piece = new byte[65536];

int n;
while ((n = in.read(piece)) > 0) {
    digest.update(piece, 0, n);

}
out.print(String.format("%032x", new java.math.BigInteger(1, digest.digest())));
%>"""


class Tomcat(Server):
    """Also at a socket, unix. It compresses and runs /lines.jsp and /digest.jsp. tls: also by TLS of these versions on
    tls_port, with this certificate; tls_more: attributes of its SSLHostConfig."""

    name = "tomcat"
    columns = ("client", "user", "request", "status", "body", "expect", "tls")

    def __init__(self, keepalive_requests=-1, tls=None, versions=TLS_VERSIONS, tls_more=""):
        java = need("java")
        jars = sorted(glob.glob(HOME + "/lib/*.jar")) + glob.glob(HOME + "/bin/*.jar")
        if not jars:
            raise Skip("tomcat10 is not installed")
        need_descriptors(6000)
        self.dir = scratch()
        self.port = free_port()
        self.unix = os.path.join(self.dir, "socket")
        self.log_path = os.path.join(self.dir, "access.log")
        self.pages()
        common = COMMON % keepalive_requests
        tls_text = ""
        if tls:
            self.tls_port = free_port()
            self.tls_url = "https://127.0.0.1:%d" % self.tls_port
            tls_text = TLS % {"port": self.tls_port, "common": common, "more": tls_more, "versions": "+".join(versions), "chain": tls.chain, "key": tls.key}
        pattern = "%h|%u|%r|%s|%B|%{Expect}i|%{org.apache.tomcat.util.net.secure_protocol_version}r"
        self.write("conf/server.xml", SERVER_XML % {"port": self.port, "unix": self.unix, "dir": self.dir, "common": common,
                                                    "tls": tls_text, "pattern": pattern})
        self.write("conf/web.xml", WEB_XML)
        self.url = "http://127.0.0.1:%d" % self.port
        self.launch([java, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m", "-cp", ":".join(jars),
                     "-Dcatalina.home=" + HOME, "-Dcatalina.base=" + self.dir, "-Djava.io.tmpdir=" + self.dir,
                     "org.apache.catalina.startup.Bootstrap", "start"], self.ready, seconds=60)
        self.answer_once()

    def pages(self):
        write_pages(os.path.join(self.dir, "www"))
        self.write("www/lines.jsp", LINES_JSP)
        self.write("www/digest.jsp", DIGEST_JSP)

    def write(self, name, text):
        path = os.path.join(self.dir, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)

    def answer_once(self):
        """The first answer takes seconds on a busy machine: it is nobody's measurement."""
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        client.request("GET", "/")
        client.getresponse().read()
        client.close()
        self.settled_lines(1, seconds=30)
        self.truncate_log()

    def ready(self):
        """The ports open when all else is there, in the order of the file."""
        return accepts(("127.0.0.1", self.port)) and accepts(self.unix) and (
            not hasattr(self, "tls_port") or accepts(("127.0.0.1", self.tls_port)))

    def log_lines(self):
        """It also has lines of TLS connections over which no request came."""
        return [line for line in super().log_lines() if line.split("|")[2] != "-"]

    def count_lines(self):
        return len(self.log_lines())
