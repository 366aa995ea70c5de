package app

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// healthTime bounds [healthCommand]: what asks it waits, too.
const healthTime = 3 * time.Second

func healthCommand() Command {
	var ready bool
	return Command{
		Name:    "healthcheck",
		Args:    "[worker]",
		Summary: "Ask the process on this machine whether it runs, and fail where it doesn't.",
		About: `For images that have no curl. It asks /healthz of the $0 serve, or with worker of the
$0 worker, that has the same settings: at ENTWINE_ADDR, or at ENTWINE_WORKER_ADDR. With --ready
it asks /readyz, which fails while the database is away, too: that is a reason to send a
process no requests, and none to restart it.`,
		Flags: func(fs *flag.FlagSet) {
			fs.BoolVar(&ready, "ready", false, "Ask whether it can do its work.")
		},
		Run: func(ctx context.Context, p *Process, args []string) error {
			at, setting := p.Config.Addr, "ENTWINE_ADDR"
			if len(args) > 0 {
				if len(args) > 1 || args[0] != "worker" {
					return Usagef("it takes no argument, or worker")
				}
				if at, setting = p.Config.WorkerAddr, "ENTWINE_WORKER_ADDR"; at == "" {
					return errors.New("ENTWINE_WORKER_ADDR is needed: without it a worker does not say how it is")
				}
			}
			path := "/healthz"
			if ready {
				path = "/readyz"
			}
			if err := p.askHealth(ctx, at, path); err != nil {
				return fmt.Errorf("the process at %s=%s: %w", setting, at, err)
			}
			return nil
		},
	}
}

func (p *Process) askHealth(ctx context.Context, at, path string) error {
	host, port, err := net.SplitHostPort(at)
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); host == "" || ip.IsUnspecified() {
		host = "localhost"
	}
	ctx, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+path, nil)
	if err != nil {
		return err
	}
	answer, err := new(http.Transport).RoundTrip(r) // no proxy is on the way to this machine
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<10))
	if err != nil {
		return err
	}
	said := strings.TrimSpace(string(text))
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s: %s", path, answer.Status, said)
	}
	fmt.Fprintln(p.Stdout, said)
	return nil
}
