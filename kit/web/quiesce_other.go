//go:build !linux

package web

import "net"

// quiesce does nothing: connections that are not accepted yet are reset when the
// listener is closed.
func quiesce(net.Listener) {}
