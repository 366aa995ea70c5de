package pgserver

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// Replicate restarts the server so that it can have standbys.
func (s *Server) Replicate(ctx context.Context) error {
	s.Stop()
	s.Settings = []string{"wal_level=replica", "max_wal_senders=8", "hot_standby=on"}
	return s.Restart(ctx)
}

// Standby returns a standby with all that was committed, whose files are in dir. It has
// the port of the server, and does not run: once the server has ended, Restart starts
// it, and [Server.Promote] makes a primary of it. The standby then lags by the commits
// in between.
func (s *Server) Standby(ctx context.Context, dir string) (*Server, error) {
	p, err := find()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if p.as != nil {
		if err := os.Chown(dir, int(p.as.Uid), int(p.as.Gid)); err != nil {
			return nil, err
		}
	}
	out, err := p.command(ctx, "pg_basebackup", "-D", filepath.Join(dir, "data"), "-d", s.URL("postgres"), "-R", "-c", "fast", "-X", "stream").CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("pg_basebackup: %w: %s", err, out)
	}
	return &Server{Dir: dir, Port: s.Port, Settings: append(slices.Clip(s.Settings), "primary_conninfo=")}, nil
}

// Follow returns a standby that runs, on a port of its own, and follows the server. Its
// files are in dir. The settings are further ones, as "max_standby_streaming_delay=0".
func (s *Server) Follow(ctx context.Context, dir string, settings ...string) (*Server, error) {
	f, err := s.Standby(ctx, dir)
	if err != nil {
		return nil, err
	}
	f.Settings = append(slices.Clip(s.Settings), settings...) // and the address of the server, which is in its files
	if f.Port, err = freePort(); err != nil {
		return nil, err
	}
	return f, f.Restart(ctx)
}

// Promote makes a primary of a standby, and waits until it is.
func (s *Server) Promote(ctx context.Context) error {
	db, err := sql.Open("postgres", s.URL("postgres"))
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, "SELECT pg_promote()")
	return err
}
