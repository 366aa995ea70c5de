package files

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// Wanted is the description of an upload by the client that sends its parts.
type Wanted struct {
	Upload
	// Length is how many bytes the file has, MediaType is what the client takes it for, empty
	// where it does not say, and PartSize how large parts are, 0 for any size.
	Length, PartSize int64
	MediaType        string
}

// Part is a part of an upload that has not arrived. Where the Store signs addresses, its bytes are
// put at URL, in any order. Otherwise URL is empty: they are sent to the service, one part
// after the other.
type Part struct {
	Offset, Size int64
	URL          string
}

// The bounds of parts that clients send by themselves.
const (
	usualPart = 8 << 20
	// leastPart is the smallest part that object stores join, but for the last one, and mostPart the largest.
	leastPart, mostPart = 5 << 20, 5 << 30
	// mostAddresses are how many parts an upload has, about.
	mostAddresses = 100
	// addressLife is how long an address is good.
	addressLife = time.Hour
)

// Request begins an upload as [Keeper.Begin] does, for a client that asks for the addresses of its
// parts. Where the store takes them, all of its bytes count from now on. A media type that
// the field does not take is refused here, and the content is judged when it is complete.
func (k *Keeper) Request(ctx context.Context, w Wanted) (*Partial, error) {
	if kind, _, _ := strings.Cut(w.MediaType, ";"); kind != "" && !w.Target.Field.File.Takes(kind) {
		if err := k.Admit(ctx, w.Target); err != nil {
			return nil, err
		}
		return nil, w.Target.takesNot(kind)
	}
	p, err := k.Begin(ctx, w.Upload, w.Length)
	if err != nil || p.Received > 0 || p.Complete || !k.signs() {
		return p, err
	}
	return p, k.reserve(ctx, p, partOf(w.PartSize, p.Length, leastPart))
}

// partOf is how large parts are: as asked for, but for the bounds.
func partOf(asked, length, least int64) int64 {
	if asked < 1 {
		asked = usualPart
	}
	return max(min(asked, mostPart), least, (length+mostAddresses-1)/mostAddresses)
}

// Origin is where clients send parts to by themselves: see [Signer]. Empty: they don't.
func Origin(s Store) string {
	if signer, can := s.(Signer); can {
		return signer.Origin()
	}
	return ""
}

// signs reports whether clients send parts to the store.
func (k *Keeper) signs() bool { return Origin(k.Store) != "" }

var (
	reserveText = statement.Of(`UPDATE file_uploads SET received = length, parts = $2 WHERE id = $1 AND received = 0 AND parts = 0 AND complete = FALSE RETURNING received`)
	planText    = statement.Of(`INSERT INTO file_parts (upload_id, position, size, name, created_at)
		SELECT $1::bigint, l.position, l.size, l.name, now() FROM list($2) AS l(position bigint, size bigint, name varchar)`)
)

// reserve makes the rows of the parts of an upload, whose bytes count, before they arrive: what
// arrives has a row, which goes after it.
func (k *Keeper) reserve(ctx context.Context, p *Partial, size int64) error {
	type planned struct {
		Position int64  `json:"position"`
		Size     int64  `json:"size"`
		Name     string `json:"name"`
	}
	var all []planned
	for at := int64(0); at < p.Length; at += size {
		all = append(all, planned{at, min(size, p.Length-at), partBegin + newKey()})
	}
	list, err := json.Marshal(all)
	if err != nil {
		return err
	}
	var full error
	err = k.DB.InTx(ctx, func(ctx context.Context) error {
		var reserved int64
		found, err := reserveText.Row(ctx, k.DB, []any{&reserved}, p.ID, len(all))
		if err != nil || !found { // a repetition was faster
			return err
		}
		if _, err := planText.Exec(ctx, k.DB, p.ID, string(list)); err != nil {
			return err
		}
		full = k.charge(ctx, k.holders(p.owner, p.tenant), p.Length)
		return full
	})
	if full != nil {
		return errors.Join(full, k.End(context.WithoutCancel(ctx), p))
	}
	if err != nil {
		return fmt.Errorf("plan the parts of an upload: %w", err)
	}
	p.Received, p.parts = p.Length, len(all)
	return nil
}

// Missing are the parts of an upload that have not arrived, in their order. They have new addresses.
// The parts that the service receives are as large as the client asks.
func (k *Keeper) Missing(ctx context.Context, p *Partial, partSize int64) (all []Part, err error) {
	if p.Complete {
		return nil, nil
	}
	if k.signs() {
		if err := k.Admit(ctx, p.Target); err != nil { // who may write the field no more gets no address
			return nil, err
		}
		absent, err := k.absent(ctx, p)
		if err != nil {
			return nil, err
		}
		life := min(addressLife, time.Until(p.ExpiresAt))
		for _, a := range absent {
			url, err := k.Store.(Signer).Sign(ctx, a.key, a.Size, life)
			if err != nil {
				return nil, unavailable(fmt.Errorf("sign the address of a part: %w", err))
			}
			a.URL = url
			all = append(all, a.Part)
		}
	}
	size := partOf(partSize, p.Length, 1)
	for at := p.Received; at < p.Length; at += size {
		all = append(all, Part{Offset: at, Size: min(size, p.Length-at)})
	}
	return all, nil
}

// absentPart is a part with its key in the store.
type absentPart struct {
	Part
	key string
}

var plannedText = statement.Of(`SELECT position, size, name FROM file_parts WHERE upload_id = $1 AND released_at IS NULL ORDER BY position`)

// absent are the planned parts of an upload that are not in the store, or are of another size. The
// store is asked for each, several at once.
func (k *Keeper) absent(ctx context.Context, p *Partial) (all []absentPart, err error) {
	var planned []absentPart
	var keys []string
	err = plannedText.Query(ctx, k.DB, func(rows *sql.Rows) error {
		var a absentPart
		var name string
		err := rows.Scan(&a.Offset, &a.Size, &name)
		a.key = blobKey(name)
		planned, keys = append(planned, a), append(keys, a.key)
		return err
	}, p.ID)
	if err != nil {
		return nil, fmt.Errorf("list the parts of an upload: %w", err)
	}
	sizes := make(chan Object, len(keys))
	err = atOnce(keys, func(key string) error {
		c, err := k.Store.Open(ctx, key, 0, 1)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			sizes <- Object{Key: key, Size: c.Size}
			err = c.Close()
		}
		return err
	})
	if err != nil {
		return nil, unavailable(fmt.Errorf("look for the parts of an upload: %w", err))
	}
	close(sizes)
	there := map[string]int64{}
	for o := range sizes {
		there[o.Key] = o.Size
	}
	for _, a := range planned {
		if size, some := there[a.key]; !some || size != a.Size {
			all = append(all, a)
		}
	}
	return all, nil
}

// errAbsent answers for an upload of which a part is not there.
var errAbsent = problem.New(problem.Conflict, "a part of the upload has not arrived: ask for the parts that are missing, and send them")

// Complete makes the file of an upload whose parts have arrived, after it was judged as that of any
// other upload. The error is of the kind Conflict while some are missing, and the upload stays.
// Content that [Keeper.Take] refuses ends it. A complete upload answers with its file. Several
// requests of a process wait for one that joins the parts and reads them. Processes may do so at
// once: one of them makes the file.
func (k *Keeper) Complete(ctx context.Context, p *Partial) (*File, error) {
	if p.Complete {
		return k.Find(ctx, p.Key)
	}
	return waited(ctx, &k.completing, p.Key, func() (*File, error) {
		ctx := context.WithoutCancel(ctx)
		now, err := k.Partial(ctx, p.Key) // which the call before may have completed
		if err != nil {
			return nil, err
		}
		return k.complete(ctx, now)
	})
}

// waited is the result of the one call with the key that is under way, which goes on when the
// request that began it has ended.
func waited(ctx context.Context, calls *singleflight.Group, key string, call func() (*File, error)) (*File, error) {
	done := calls.DoChan(key, func() (any, error) { return call() })
	select {
	case result := <-done:
		if result.Err != nil {
			return nil, result.Err
		}
		return result.Val.(*File), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// complete makes the file of an upload whose row was read just now.
func (k *Keeper) complete(ctx context.Context, p *Partial) (*File, error) {
	switch {
	case p.Complete:
		return k.Find(ctx, p.Key)
	case p.Length < 0 || p.Received < p.Length:
		return nil, problem.New(problem.Conflict, "the upload has %d of its bytes: send the rest before you complete it", p.Received)
	}
	if k.signs() {
		absent, err := k.absent(ctx, p)
		if err != nil {
			return nil, err
		}
		if len(absent) > 0 {
			return nil, problem.New(problem.Conflict, "%d parts of the upload have not arrived, the first at byte %d: ask for the parts that are missing, and send them", len(absent), absent[0].Offset)
		}
	}
	return k.Append(ctx, p, Piece{Offset: p.Received, Body: strings.NewReader(""), Last: true})
}
