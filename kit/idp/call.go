package idp

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"github.com/entwine-go/entwine/kit/problem"
)

// maxAnswer is how much a provider may answer, maxLogged how much of an
// error the log gets.
const (
	maxAnswer = 1 << 20
	maxLogged = 500
)

var (
	errTooLarge = errors.New("the identity provider's answer is larger than 1 MiB")
	errRedirect = errors.New("the identity provider redirects")
)

// newClient returns a client for calls to a provider: bounded in time and
// size, and going nowhere else.
func newClient(timeout time.Duration) *http.Client {
	return &http.Client{
		Timeout:       timeout,
		Transport:     bounded{transport},
		CheckRedirect: func(*http.Request, []*http.Request) error { return errRedirect },
	}
}

// transport keeps connections for the whole process.
var transport = http.DefaultTransport.(*http.Transport).Clone()

// bounded refuses answers that are too large.
type bounded struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := b.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	response.Body = &boundedBody{response.Body, maxAnswer}
	return response, nil
}

type boundedBody struct {
	io.ReadCloser
	left int
}

// Read implements io.Reader.
func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, errTooLarge
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left+1)])
	if b.left -= n; b.left < 0 {
		return n - 1, errTooLarge
	}
	return n, err
}

// exchangeError tells a code that the provider refused from one that it
// could not judge.
func exchangeError(err error) error {
	var answer *oauth2.RetrieveError
	if errors.As(err, &answer) && answer.Response != nil && answer.Response.StatusCode/100 == 4 {
		// The answer may repeat what was sent: only its code is logged.
		return refuse(errors.New("exchange code: the provider answers " + answer.Response.Status + " " + answer.ErrorCode))
	}
	return unreachable(err)
}

// verifyError tells a token that is not good from keys that could not be had.
func verifyError(err error) error {
	// go-oidc keeps no chain here, only the text.
	if strings.Contains(err.Error(), "fetching keys") {
		return unreachable(err)
	}
	return refuse(err)
}

// unreachable is a provider that does not answer as one should.
func unreachable(err error) error {
	text := err.Error()
	var timeout net.Error
	late := errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout() ||
		strings.Contains(text, "Client.Timeout exceeded") || strings.Contains(text, "context deadline exceeded")
	if len(text) > maxLogged { // it may hold all that the provider answered
		err = errors.New(strings.ToValidUTF8(text[:maxLogged], "") + "…")
	}
	if late {
		return problem.Wrap(err, problem.GatewayTimeout, "the identity provider does not answer")
	}
	return problem.Wrap(err, problem.BadGateway, "the identity provider does not answer as it should")
}
