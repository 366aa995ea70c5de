package stream

import (
	"errors"
	"fmt"

	"github.com/coder/websocket"

	"github.com/entwine-go/entwine/kit/events"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/web"
)

// The codes that a WebSocket is closed with (graphql-transport-ws).
const (
	codeDone            = websocket.StatusNormalClosure
	codeProtocol        = websocket.StatusProtocolError
	codeTooBig          = websocket.StatusMessageTooBig
	codeInternal        = websocket.StatusInternalError
	codeRestart         = websocket.StatusServiceRestart
	codeTryLater        = websocket.StatusTryAgainLater
	codeInvalid         = websocket.StatusCode(4400)
	codeUnauthorized    = websocket.StatusCode(4401)
	codeForbidden       = websocket.StatusCode(4403)
	codeNoSubprotocol   = websocket.StatusCode(4406)
	codeInitTimeout     = websocket.StatusCode(4408)
	codeDuplicateID     = websocket.StatusCode(4409)
	codeTooManyInits    = websocket.StatusCode(4429)
	maxReason           = 123 // bytes: a close frame has room for no more
	reasonRestart       = "Service restart"
	reasonReplaced      = "The database was replaced or restored: subscribe again"
	reasonInvalidPrefix = "Invalid message: "
)

// ending is why a connection is closed.
type ending struct {
	code   websocket.StatusCode
	reason string
}

func endf(code websocket.StatusCode, format string, args ...any) ending {
	reason := fmt.Sprintf(format, args...)
	if len(reason) > maxReason {
		reason = reason[:maxReason-3] + "..."
	}
	return ending{code, reason}
}

func invalid(err error) ending { return endf(codeInvalid, reasonInvalidPrefix+"%v", err) }

// endingOf is how a connection ends by an error of its operations, or of
// proving who it is.
func endingOf(err error) ending {
	switch {
	case errors.Is(err, events.ErrClosed):
		return ending{codeRestart, reasonRestart}
	case errors.Is(err, events.ErrReplaced):
		return ending{codeRestart, reasonReplaced}
	case errors.Is(err, events.ErrSlow), errors.Is(err, events.ErrBehind):
		return endf(codeTryLater, "%v", err)
	case web.Unauthenticated(err):
		return endf(codeForbidden, "Forbidden: %s", problem.As(err).Message)
	case problem.KindOf(err) == problem.Invalid:
		return invalid(errors.New(problem.As(err).Message))
	case problem.KindOf(err) == problem.Unavailable:
		return endf(codeTryLater, "%s", problem.As(err).Message)
	}
	return ending{codeInternal, "Internal server error"}
}
