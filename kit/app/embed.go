package app

import (
	"context"
	"errors"

	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/web"
)

// Embed returns the server that the command serve would run, for tests, with the
// settings in p.Environ. db has all migrations and stays the caller's; nil is the
// database of the settings, which Embed opens and migrates. No jobs are worked on.
// The caller calls end, which closes what Embed opened.
func (s *Service) Embed(ctx context.Context, p *Process, db *store.DB) (server *web.Server, end func() error, err error) {
	p.service = s
	if err := p.configure(nil); err != nil {
		return nil, nil, err
	}
	closeDB := func() error { return nil }
	if db == nil {
		if db, err = p.openDB(ctx); err != nil {
			return nil, nil, err
		}
		closeDB = db.Close
		if err = p.migrate(ctx, db); err != nil {
			return nil, nil, errors.Join(err, closeDB())
		}
	}
	h, err := p.open(db)
	if err != nil {
		return nil, nil, errors.Join(err, closeDB())
	}
	end = func() error { return errors.Join(h.Close(), closeDB()) }
	if server, err = h.server("http://localhost"); err != nil {
		return nil, nil, errors.Join(err, end())
	}
	return server, end, nil
}
