package app

import (
	"context"
	"path/filepath"

	"github.com/entwine-go/entwine/kit/internal/figures"
)

// statements is of how many texts a process keeps figures: more than it has.
const statements = 1000

// keep keeps the figures of statements until ctx ends, for weave advise to read.
func (p *Process) keep(ctx context.Context) error {
	dir := filepath.Join(p.Config.DataDir, figures.Folder)
	return (&figures.Keeper{Figures: p.figures, Dir: dir, Log: p.Log}).Run(ctx)
}
