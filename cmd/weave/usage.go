package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/codegen/change"
	"github.com/entwine-go/entwine/kit/codegen/contract"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/usage"
)

const usageHelp = "the users of deprecated things: the `file` that the service's command usage --json wrote, or the URL of its database. Removed things are listed with their users of the last 90 days."

// used names the callers of what is removed, where the place of usage records is given.
func (j *judgement) used(ctx context.Context, p *process, from string, before *contract.Contract) error {
	if from == "" {
		return nil
	}
	now := time.Now().UTC()
	text, err := usesFrom(ctx, p, from, now.AddDate(0, 0, -90))
	if err != nil {
		return fmt.Errorf("--usage: %w", err)
	}
	uses, err := change.ReadUses(text)
	if err != nil {
		return fmt.Errorf("--usage %s: %w", from, err)
	}
	change.Used(j.found, before, uses, now)
	return nil
}

// usesFrom reads a file, or asks a database.
func usesFrom(ctx context.Context, p *process, from string, since time.Time) ([]byte, error) {
	if !strings.Contains(from, "://") {
		if !filepath.IsAbs(from) {
			from = filepath.Join(p.root, from)
		}
		return os.ReadFile(from)
	}
	db, err := store.Open(ctx, store.Config{URL: from, Conns: 1})
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }()
	all, err := usage.Since(ctx, db, since)
	if err != nil {
		return nil, err
	}
	if all == nil {
		all = []usage.Use{}
	}
	return json.Marshal(all)
}
