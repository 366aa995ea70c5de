package files

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"
)

// Moving moves the content of a store to another, while both are in use: writes go to To,
// reads look in both, and removals remove from both.
type Moving struct{ To, From Store }

// Put implements [Store].
func (m *Moving) Put(ctx context.Context, key string, content *os.File) error {
	return m.To.Put(ctx, key, content)
}

// Open implements [Store].
func (m *Moving) Open(ctx context.Context, key string, offset, length int64) (c *Content, err error) {
	// A key that neither of the first two has was moved between the questions.
	for _, s := range []Store{m.To, m.From, m.To} {
		if c, err = s.Open(ctx, key, offset, length); !errors.Is(err, fs.ErrNotExist) {
			return c, err
		}
	}
	return nil, err
}

// Remove implements [Store].
func (m *Moving) Remove(ctx context.Context, key string) error {
	return errors.Join(m.From.Remove(ctx, key), m.To.Remove(ctx, key))
}

// Each implements [Store], with the keys of To before those of From: a key that is in both
// comes twice.
func (m *Moving) Each(ctx context.Context, folder string, do func(Object) error) error {
	if err := m.To.Each(ctx, folder, do); err != nil {
		return err
	}
	return m.From.Each(ctx, folder, do)
}

// Tidy implements [Store].
func (m *Moving) Tidy(ctx context.Context, before time.Time) error {
	return errors.Join(m.To.Tidy(ctx, before), m.From.Tidy(ctx, before))
}

// Ready returns an error where one of the two can't be used. A folder always can.
func (m *Moving) Ready(ctx context.Context) (err error) {
	for _, s := range []Store{m.To, m.From} {
		if r, ok := s.(interface {
			Ready(ctx context.Context) error
		}); ok {
			err = errors.Join(err, r.Ready(ctx))
		}
	}
	return err
}

// Spool implements [Store].
func (m *Moving) Spool() string { return m.To.Spool() }

// String implements [Store].
func (m *Moving) String() string { return m.To.String() + ", and in " + m.From.String() }

// Origin implements [Signer].
func (m *Moving) Origin() string { return Origin(m.To) }

// Sign implements [Signer].
func (m *Moving) Sign(ctx context.Context, key string, size int64, life time.Duration) (string, error) {
	return m.To.(Signer).Sign(ctx, key, size, life)
}
