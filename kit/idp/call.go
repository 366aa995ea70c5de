package idp

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"github.com/entwine-go/entwine/kit/outbound"
	"github.com/entwine-go/entwine/kit/problem"
)

// maxLogged is how much of an error the log gets.
const maxLogged = 500

// provider calls addresses that operators set: bounded in time and size, and going
// nowhere else. It keeps connections for the whole process.
var provider = outbound.New(outbound.Config{Trusted: true, Plain: true})

// newClient returns a client for calls to a provider.
func newClient(timeout time.Duration) *http.Client {
	c := *provider
	c.Timeout = timeout
	return &c
}

// exchangeError distinguishes a code that the provider refused from one that it
// could not judge.
func exchangeError(err error) error {
	var answer *oauth2.RetrieveError
	if errors.As(err, &answer) && answer.Response != nil && answer.Response.StatusCode/100 == 4 {
		// The answer may repeat what was sent: only its code is logged.
		return refuse(errors.New("exchange code: the provider answers " + answer.Response.Status + " " + answer.ErrorCode))
	}
	return unreachable(err)
}

// verifyError distinguishes an invalid token from keys that could not be fetched.
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
