package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/hibiken/asynq"
)

// Server hears what is due and has it done. It owns the asynq servers, and
// enqueues what a schedule says.
type Server struct {
	runner   *Runner
	log      *slog.Logger
	servers  []*asynq.Server
	hangUp   func() error // ends what asynq asks of a Redis, nil of an embedded one
	deaf     []func()     // end the listening to wake-ups
	schedule func()
	done     sync.WaitGroup
}

// ServerConfig has the dependencies of a server.
type ServerConfig struct {
	Transport *Transport // what it hears
	Runner    *Runner    // does the jobs
	Client    *Client    // enqueues those of the schedule
	// Schedule lists what happens by itself: nothing if empty.
	Schedule []Entry
	// Concurrency is how many jobs of a queue are done at once, other than the
	// bulk queue's: 20 if 0.
	Concurrency int
	Log         *slog.Logger // required
}

// bulkWorkers is how many jobs of the bulk queue are done at once.
const bulkWorkers = 2

// Start starts a server. Redis may be away: it begins when Redis is there.
func Start(c ServerConfig) (*Server, error) {
	if c.Concurrency == 0 {
		c.Concurrency = 20
	}
	s := &Server{runner: c.Runner, log: c.Log, hangUp: c.Transport.hangUp}
	if d := c.Transport.doorbell; d != nil && c.Client.Bell.Bus != nil {
		for _, q := range []Queue{Urgent, Default, Bulk} {
			s.deaf = append(s.deaf, d.listen(q, c.Client.Bell.Bus))
		}
	}
	slow := s.settings(c, bulkWorkers, Bulk)
	slow.TaskCheckInterval *= 10
	for _, settings := range []asynq.Config{s.settings(c, c.Concurrency, Urgent), s.settings(c, c.Concurrency, Default), slow} {
		server := asynq.NewServerFromRedisClient(c.Transport.Patient, settings)
		if err := server.Start(asynq.HandlerFunc(s.hear)); err != nil {
			s.stopHearing()
			return nil, fmt.Errorf("start asynq: %w", err)
		}
		s.servers = append(s.servers, server)
	}
	ctx, stop := context.WithCancel(context.Background())
	s.schedule = stop
	s.done.Go(func() { (&scheduler{client: c.Client, log: c.Log, entries: c.Schedule, now: time.Now}).run(ctx) })
	return s, nil
}

// settings are those of one queue's server. Each queue has its own, so that no
// number of jobs in one holds up another's, and none is asked in vain while
// another is full.
func (s *Server) settings(c ServerConfig, concurrency int, queue Queue) asynq.Config {
	check := 10 * time.Millisecond
	if c.Transport.Embedded() {
		check = time.Millisecond // a poll blocks, so it is not repeated in vain
	}
	return asynq.Config{
		Concurrency:              concurrency,
		Queues:                   map[string]int{string(queue): 1},
		TaskCheckInterval:        check,
		DelayedTaskCheckInterval: time.Minute, // nothing is delayed in Redis
		JanitorInterval:          time.Minute,
		ShutdownTimeout:          time.Second, // the runner has waited before
		Logger:                   asynqLog{c.Log},
		LogLevel:                 asynq.WarnLevel,
	}
}

// hear does the job whose id a task carries. asynq learns of no failure: the row
// has the state of the job.
func (s *Server) hear(ctx context.Context, t *asynq.Task) error {
	id, err := strconv.ParseInt(string(t.Payload()), 10, 64)
	if err != nil {
		return errors.Join(fmt.Errorf("task %q names no job: %w", t.Payload(), err), asynq.SkipRetry)
	}
	if err := s.runner.Run(ctx, id); err != nil {
		s.log.WarnContext(ctx, "job could not be started: it will be rung again", "job_id", id, "err", err)
	}
	return nil
}

// Stop stops hearing, lets what runs finish until ctx ends, and gives the
// rest back to other processes.
func (s *Server) Stop(ctx context.Context) {
	s.schedule()
	s.deafen()
	s.each((*asynq.Server).Stop)
	s.runner.Stop(ctx)
	s.stopHearing()
	s.done.Wait()
}

// deafen has polls wait for nothing any more: asynq waits for the one that runs.
func (s *Server) deafen() {
	for _, deaf := range s.deaf {
		deaf()
	}
}

func (s *Server) stopHearing() {
	s.deafen()
	s.each((*asynq.Server).Shutdown)
}

// hearingEnds is how long asynq waits for Redis when it stops.
const hearingEnds = 3 * time.Second

// each ends something of every asynq server. A Redis that hangs is left: the rows have
// the state of jobs, and what asynq keeps of a server expires.
func (s *Server) each(end func(*asynq.Server)) {
	if s.hangUp != nil {
		defer time.AfterFunc(hearingEnds, func() { _ = s.hangUp() }).Stop()
	}
	var all sync.WaitGroup
	for _, server := range s.servers {
		all.Go(func() { end(server) })
	}
	all.Wait()
}

// asynqLog passes on what asynq has to say.
type asynqLog struct{ log *slog.Logger }

func (l asynqLog) Debug(args ...any) { l.log.Debug("asynq", "message", fmt.Sprint(args...)) }
func (l asynqLog) Info(args ...any)  { l.log.Debug("asynq", "message", fmt.Sprint(args...)) }
func (l asynqLog) Warn(args ...any)  { l.log.Warn("asynq", "message", fmt.Sprint(args...)) }
func (l asynqLog) Error(args ...any) { l.log.Warn("asynq", "message", fmt.Sprint(args...)) }
func (l asynqLog) Fatal(args ...any) { l.log.Error("asynq", "message", fmt.Sprint(args...)) }
