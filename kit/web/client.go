package web

import (
	"context"
	"net/http"
	"strings"
	"time"
)

// Client is the program that a request is from.
type Client struct {
	// Agent is its User-Agent.
	Agent string
	// Address is its network address, empty where that is unknown.
	Address string
	// Device is the value of its [DeviceCookie], empty without one.
	Device string
}

type clientKey struct{}

// visit is a request of a client, in the context of the request.
type visit struct {
	Client
	x *exchange
}

func (e *Edge) visitOf(w http.ResponseWriter, r *http.Request) visit {
	v := visit{Client: Client{Agent: r.UserAgent()}, x: w.(*exchange)}
	if at := e.client(r); at.IsValid() {
		v.Address = at.String()
	}
	if header := r.Header["Cookie"]; len(header) > 0 && strings.Contains(header[0], DeviceCookie) {
		if cookie, err := r.Cookie(DeviceCookie); err == nil {
			v.Device = cookie.Value
		}
	}
	return v
}

// ClientOf returns the program and address of a request that may sign a user
// in, one below /auth/ or of GraphQL, and of one that asks for an event stream.
func ClientOf(ctx context.Context) Client {
	if v, ok := ctx.Value(clientKey{}).(*visit); ok {
		return v.Client
	}
	return Client{}
}

// Pause has a request that may sign a user in wait, for a time or until its context
// ends. Meanwhile it does not count as one in flight: it does nothing, and could keep
// others out. Afterwards it may find the service overloaded, which is the error then.
func Pause(ctx context.Context, d time.Duration) error {
	back := func(context.Context) error { return nil }
	if v, ok := ctx.Value(clientKey{}).(*visit); ok {
		back = v.x.step()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return back(ctx)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// step gives the place of a request back for a while, and returns what takes another.
func (x *exchange) step() (back func(context.Context) error) {
	g := x.gate
	if g == nil {
		return func(context.Context) error { return nil }
	}
	unusual := x.unusual
	x.unusual = true // its time so far says little
	x.leave()
	x.unusual = unusual
	return func(ctx context.Context) error { return x.enter(ctx, g) }
}
