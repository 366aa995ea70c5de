package app

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/files"
	_ "github.com/entwine-go/entwine/kit/files/clamd" // ENTWINE_FILES_SCANNER names it
	"github.com/entwine-go/entwine/kit/files/imgproxy"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/write"
)

// keeper keeps the files of fields. It is nil where no field has any.
func (p *Process) keeper(ctx context.Context, db *store.DB) (*files.Keeper, error) {
	targets := files.Targets(p.service.Entities)
	if len(targets) == 0 {
		return nil, nil
	}
	if err := files.Encodes(targets); err != nil {
		return nil, err
	}
	s, err := p.fileStore(ctx)
	if err != nil {
		return nil, err
	}
	k := &files.Keeper{
		Log: p.Log, DB: db, Store: s, Targets: targets,
		Quotas: files.Quotas{Owner: p.Config.FilesQuota, Tenant: p.Config.FilesTenantQuota},
	}
	if address := p.Config.FilesScanner; address != "" {
		if k.Scanner, err = files.OpenScanner(address); err != nil {
			return nil, fmt.Errorf("ENTWINE_FILES_SCANNER: %w", err)
		}
	}
	if address := p.Config.FilesImgproxy; address != "" {
		if k.Maker, err = imgproxy.Open(address); err != nil {
			return nil, fmt.Errorf("ENTWINE_FILES_IMGPROXY: %w", err)
		}
	}
	return k, nil
}

// fileStore opens where files are stored.
func (p *Process) fileStore(ctx context.Context) (s files.Store, err error) {
	c := p.Config
	spool := filepath.Join(c.FilesDir, "drafts")
	s = &files.Folder{Path: c.FilesDir}
	if c.FilesURL != "" {
		if s, err = files.OpenStore(ctx, c.FilesURL, spool); err != nil {
			return nil, fmt.Errorf("ENTWINE_FILES_URL: %w", err)
		}
	}
	if c.FilesFrom == "" {
		return s, nil
	}
	from, err := files.OpenStore(ctx, c.FilesFrom, spool)
	if err != nil {
		return nil, fmt.Errorf("ENTWINE_FILES_FROM: %w", err)
	}
	if from.String() == s.String() {
		return nil, fmt.Errorf("ENTWINE_FILES_FROM is where files are stored: %s", s)
	}
	return &files.Moving{To: s, From: from}, nil
}

// openFiles opens where files are kept. Jobs read rows with files before there are APIs.
func (h *Host) openFiles() (err error) {
	h.Files, err = h.keeper(context.Background(), h.DB)
	if h.Files != nil && h.service.Engine != nil {
		h.Files.Engine = h.service.Engine(h.DB)
		h.Files.Reader = h.Files.Engine.Reader
	}
	return err
}

// admitFiles adds what files take part in.
func (h *Host) admitFiles() error {
	k := h.Files
	if k == nil {
		return nil
	}
	h.without("files", k.Store)
	around := k.Around()
	for name, own := range h.parts.Around {
		around[name] = write.Both(own, around[name])
	}
	h.parts.Around = around
	vault, err := h.vault()
	if err != nil {
		return err
	}
	if h.Config.FilesOrigin != "" {
		k.Frames = append([]string{"'self'"}, origins(h.Config)...)
	}
	k.Secrets = vault.DeriveAll(account.ForUploads)
	if h.parts.Caller != nil {
		k.Links = &files.Links{Keys: vault.DeriveAll(account.ForLinks), Caller: h.parts.Caller, Origin: h.Config.FilesOrigin}
	}
	return nil
}

// largestFile is how many bytes the largest file has that may be uploaded, 0 where none may.
func (h *Host) largestFile() int64 {
	if h.Files == nil {
		return 0
	}
	return h.Files.Largest()
}

// uploads is the origin of the object store to which clients send files, empty for none.
func (h *Host) uploads() string {
	if h.Files == nil {
		return ""
	}
	return files.Origin(h.Files.Store)
}

// sweepTime is how often files are removed that no row has any more.
const sweepTime = time.Minute

// dispose removes files that no row has any more, until ctx ends.
func (h *Host) dispose(ctx context.Context) error {
	if h.Files != nil {
		h.Files.Run(ctx, sweepTime)
	}
	return nil
}
