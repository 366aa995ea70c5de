// Package files keeps the files of fields that schemas declare by expose.File.
//
// It is one package because uploads, rows, blobs, quotas and scans share the protocol
// of marks by which a crash at any point leaves nothing that the sweep does not find.
//
// A file is a row, which says for which field it was uploaded, by whom and what it is,
// and a blob: stored bytes in a [Store], which files of one owner share where they are
// the same. A file goes through these states:
//
//	uploaded   [Keeper.Take] has stored it. Its uploader alone reads it. A day later it goes.
//	attached   a row's field has its address: triggers of the row's table say so, in the
//	           transaction of the write. A caller who may read the field in the row may read the file.
//	released   its row has another address, or is gone: [Keeper.Sweep] removes it.
//
// A picture has variants where its field declares them ([Keeper.Variant]). They are rows
// and blobs as well, are made at the first request, and go before the picture does.
//
// Bytes are stored before the transaction that has their row begins, and are removed
// after the one that no longer has it. Bytes that a crash leaves in between are marked,
// and the next sweep removes them.
//
// Services use the package in Go, doors and commands through it. It leans on package
// read, whose policies protect files, too, and on package write, whose writes it
// judges. HTTP is left to the doors.
package files

import (
	"context"
	"errors"
	"log/slog"
	"syscall"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"
)

// Keeper keeps the files of a service. All fields but Links, Secrets, Scanner and Maker are required.
type Keeper struct {
	Log   *slog.Logger
	DB    *store.DB
	Store Store
	// Reader reads the rows that have files, and Engine writes them.
	Reader *read.Reader
	Engine *write.Engine
	// Targets are the fields that have files.
	Targets []Target
	// Links signs links. Nil: there are none.
	Links *Links
	// Secrets make the ids of uploads with an [Upload.Key], so that no one can compute them. The
	// first makes new ones, all find those that there are. All processes have the same. Without
	// secrets such an upload is refused.
	Secrets [][]byte
	// Scanner judges contents before they are served. Nil: all are served.
	Scanner Scanner
	// Frames are the origins whose pages may frame files, as sources of a Content-Security-Policy:
	// "'self'", "https://app.example.com". Nil: nothing is said of it.
	Frames []string
	// Quotas bound how many bytes are stored.
	Quotas Quotas
	// Maker makes variants of pictures elsewhere. Nil, or where it fails: this process makes them.
	Maker Maker

	studio             studio
	making, completing singleflight.Group
}

// Target is a field that has files.
type Target struct {
	*entity.Entity
	*entity.Field
}

// Name is the field's name in uploads, in every version of the API: "profile.avatar". A
// version with names of its own takes "productPicture.image" for "product_picture.image", too.
func (t Target) Name() string { return t.Entity.Singular + "." + t.Field.Name }

// Targets are the fields of the entities that have files.
func Targets(all []*entity.Entity) (targets []Target) {
	for _, e := range all {
		for _, f := range e.Fields {
			if f.File != nil {
				targets = append(targets, Target{e, f})
			}
		}
	}
	return targets
}

// Target is the field with the name that files are uploaded for, and false where none has it.
func (k *Keeper) Target(name string) (Target, bool) {
	for _, t := range k.Targets {
		if t.Name() == name && !t.Field.File.Issued {
			return t, true
		}
	}
	return Target{}, false
}

// Largest is how many bytes the largest file has that may be uploaded.
func (k *Keeper) Largest() (n int64) {
	for _, t := range k.Targets {
		n = max(n, t.Field.File.Size)
	}
	return n
}

// Issued is the field of a table whose files the service makes (expose.Issued), and false where
// none is.
func (k *Keeper) Issued(table, column string) (Target, bool) {
	for _, t := range k.Targets {
		if t.Field.File.Issued && t.Table == table && t.Field.Column == column {
			return t, true
		}
	}
	return Target{}, false
}

// of is the field that a file was uploaded for, and false where the schema no longer has it.
func (k *Keeper) of(f *File) (Target, bool) {
	for _, t := range k.Targets {
		if (t.Entity.Name == f.Entity || t.Was != "" && t.Was == f.Entity) && t.Field.Name == f.Field {
			return t, true
		}
	}
	return Target{}, false
}

// File is a file as its row says.
type File struct {
	ID int64
	// Address is the value of the row's field.
	Address string
	// Entity and Field are for which it was uploaded, EntityID is the row, zero for none.
	Entity, Field string
	EntityID      gid.ID
	// UserID and KeyID are the user and the API key that uploaded it, 0 for none.
	UserID, KeyID int64
	Name          string
	MediaType     string
	Size          int64
	SHA256        string
	// Width, Height and BlurHash (https://blurha.sh) are those of a picture that the field
	// is for, zero for other files.
	Width, Height int
	BlurHash      string
	// Stored is the key of its bytes in the store. Tenant is the tenant whose quota counts
	// them, 0 for none.
	Stored string
	Tenant int64
	// Scanned is set once a scanner has judged the content, and Threat is the scanner's
	// finding.
	Scanned   bool
	Threat    string
	CreatedAt time.Time
	// Released is set once the row no longer has it.
	Released bool
	// Repeated is set where an upload with the same key has stored it before.
	Repeated bool

	// issued is set for a file of the service's own, which no quota refuses.
	issued bool
	// also are the addresses that the same upload has by other secrets.
	also []string
}

// Key is the file's id in addresses.
func (f *File) Key() string { return f.Address[len(expose.FilePath):] }

// NotFound answers for a file that does not exist, or not for this viewer.
func NotFound() error {
	p := problem.New(problem.NotFound, "file not found")
	p.Subject = "file"
	return p
}

// unavailable is an error of the store, which clients get over by trying again.
func unavailable(err error) error {
	if err == nil || problem.As(err) != nil {
		return err
	}
	says := "files can't be stored or read at the moment: try again"
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		says = "there is no room for more files at the moment: try again later"
	}
	p := problem.Wrap(err, problem.Unavailable, "%s", says)
	p.RetryAfter = patience
	return p
}

// patience is how long clients wait before they try again.
const patience = 5 * time.Second

// mine reports whether the viewer uploaded the file.
func (f *File) mine(v *viewer.Viewer) bool {
	switch {
	case v.System:
		return true
	case v.UserID > 0:
		return f.UserID == v.UserID
	}
	return v.KeyID > 0 && f.KeyID == v.KeyID
}

// system is a context of the system, for all tenants.
func system(ctx context.Context) context.Context { return viewer.With(ctx, viewer.AcrossTenants()) }
