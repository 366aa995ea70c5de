package pgserver

import (
	"context"
	"database/sql"
	"fmt"
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
	if err := p.mkdir(dir); err != nil {
		return nil, err
	}
	if err := s.copy(ctx, dir); err != nil {
		return nil, fmt.Errorf("copy the server: %w", err)
	}
	return &Server{Dir: dir, Port: s.Port, Settings: append(slices.Clip(s.Settings), "primary_conninfo=")}, nil
}

// copyFiles copies a server that writes, and copyLog the log of what it wrote meanwhile:
// the standby begins where the label says. Files that go meanwhile are in the log.
const (
	copyFiles = `tar -C "$1/data" --exclude=./postmaster.* --exclude="./pg_wal/*" -c . | { mkdir "$2/data" && tar -C "$2/data" -xp; }`
	copyLog   = `cp -r "$1/data/pg_wal/." "$2/data/pg_wal" && printf %s "$3" >"$2/data/backup_label" && : >"$2/data/standby.signal" &&
printf "primary_conninfo = '%s'\n" "$4" >>"$2/data/postgresql.auto.conf"`
)

// copy does what pg_basebackup does, which a version's programs may lack.
func (s *Server) copy(ctx context.Context, dir string) error {
	db, err := sql.Open("postgres", s.URL("postgres"))
	if err != nil {
		return err
	}
	defer db.Close()
	conn, err := db.Conn(ctx) // the copy ends in the session that it begins in
	if err != nil {
		return err
	}
	defer conn.Close()
	var version int
	if err := conn.QueryRowContext(ctx, "SELECT current_setting('server_version_num')").Scan(&version); err != nil {
		return err
	}
	begin, end := "SELECT pg_backup_start('a standby', true)", "SELECT labelfile FROM pg_backup_stop(false)"
	if version < 15_00_00 {
		begin, end = "SELECT pg_start_backup('a standby', true, false)", "SELECT labelfile FROM pg_stop_backup(false, false)"
	}
	if _, err := conn.ExecContext(ctx, begin); err != nil {
		return err
	}
	if err := shell(ctx, copyFiles, s.Dir, dir); err != nil {
		return err
	}
	var label string
	if err := conn.QueryRowContext(ctx, end).Scan(&label); err != nil {
		return err
	}
	return shell(ctx, copyLog, s.Dir, dir, label, fmt.Sprintf("host=127.0.0.1 port=%d user=postgres", s.Port))
}

// shell runs a script as PostgreSQL's user.
func shell(ctx context.Context, script string, args ...string) error {
	cmd, err := Command(ctx, "/bin/sh", append([]string{"-c", script, "sh"}, args...)...)
	if err != nil {
		return err
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
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
