package outbound

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
)

// Trust has the client trust the servers of a test.
func Trust(c *http.Client, roots *x509.CertPool) {
	c.Transport.(*caller).next.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
}
