package app

import (
	"context"
	"sync"

	"github.com/entwine-go/entwine/kit/jobs"
)

// sweep rings for jobs that were not heard, until ctx ends.
func (h *Host) sweep(ctx context.Context) error {
	(&jobs.Sweeper{DB: h.DB, Bell: h.Jobs.Bell, Log: h.Log}).Run(ctx)
	return nil
}

// work does jobs until ctx ends, and then lets those that are running finish
// for as long as requests may. It sweeps, too: it
// finds jobs that were not enqueued in Redis.
func (h *Host) work(ctx context.Context) error {
	runner := jobs.NewRunner(h.DB, h.Bus, h.Log, h.parts.Kinds...)
	runner.Caller, runner.Files = h.parts.Caller, h.Files
	if h.telemetry.On() {
		runner.Observer = h.telemetry.Work()
	}
	server, err := jobs.Start(jobs.ServerConfig{
		Transport: h.transport.(*jobs.Transport),
		Runner:    runner,
		Client:    h.Jobs,
		Schedule:  h.parts.Schedule,
		Log:       h.Log,
	})
	if err != nil {
		return err
	}
	var sweeping sync.WaitGroup
	sweeping.Go(func() { (&jobs.Sweeper{DB: h.DB, Bell: h.Jobs.Bell, Log: h.Log, Runner: runner}).Run(ctx) })
	<-ctx.Done()
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), h.Config.Limit.Shutdown)
	defer cancel()
	server.Stop(end)
	sweeping.Wait()
	return nil
}
