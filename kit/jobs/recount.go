package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	"github.com/entwine-go/entwine/kit/internal/removal"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// recount is the job that takes a row's dependents from the counts of others once the
// row is deleted softly, and adds them again once it is restored. The database makes
// it with the deletion, and counts (doc/schema/counts.md). Once a row is to be removed for
// good that much refers to, it removes that, and then the row (doc/schema/deletion.md).
type recount struct {
	// Keepers is the table of the row, and Keeper its id.
	Keepers string `json:"keepers"`
	Keeper  int64  `json:"keeper"`
}

// Kind names the work.
func (recount) Kind() string { return "recount" }

// RunsAs is the system: a count includes rows that some callers can't read.
func (recount) RunsAs() As { return AsSystem }

// keyedRecount is the same for a row whose id is a text or a UUID, or with which rows
// are deleted that have such ids.
type keyedRecount struct {
	Keepers string `json:"keepers"`
	// Keeper is a number or a text.
	Keeper json.RawMessage `json:"keeper"`
}

// Kind names the work.
func (keyedRecount) Kind() string { return "recount_keyed" }

// RunsAs is the system: see recount.
func (keyedRecount) RunsAs() As { return AsSystem }

// NewRecount returns the kind of the jobs that count anew what follows from a deletion
// or a restoration.
func NewRecount(db *store.DB) Kind {
	return Handle(HandlerFunc[recount](func(ctx context.Context, job *Job[recount]) error {
		k := keeper{db: db, table: job.Args.Keepers, id: job.Args.Keeper, pending: []*pending{pendingOfNumbers}}
		return k.work(ctx, job.Claim)
	}))
}

// NewKeyedRecount returns the kind of those whose ids are texts or UUIDs.
func NewKeyedRecount(db *store.DB) Kind {
	return Handle(HandlerFunc[keyedRecount](func(ctx context.Context, job *Job[keyedRecount]) error {
		k := keeper{db: db, table: job.Args.Keepers, pending: []*pending{pendingOfTexts}}
		var number int64
		var text string
		switch {
		case json.Unmarshal(job.Args.Keeper, &text) == nil:
			k.id = text
		case json.Unmarshal(job.Args.Keeper, &number) == nil:
			k.id, k.pending = number, []*pending{pendingOfNumbers, pendingOfTexts}
		default:
			return Permanent(fmt.Errorf("%s is no id", job.Args.Keeper))
		}
		return k.work(ctx, job.Claim)
	}))
}

// pending are the statements about what is left in a table of what is left to do.
type pending struct{ step, left, removed statement.Statement }

// A relation of the keeper takes a batch: a trigger of the database does. Batches of
// two relations in one transaction would lock rows of one table twice, each in the
// order of their ids, and wait for a writer that locks in the order of all.
func pendingIn(table string) *pending {
	return &pending{
		step: statement.Of(`UPDATE ` + table + ` SET steps = steps + 1 WHERE keepers = $1 AND keeper = $2
		AND relation = (SELECT MIN(relation) FROM ` + table + ` WHERE keepers = $1 AND keeper = $2 AND relation <> 'with_')`),
		left:    statement.Of(`SELECT COUNT(*) FROM ` + table + ` WHERE keepers = $1 AND keeper = $2`),
		removed: statement.Of(`SELECT COUNT(*) FROM ` + table + ` WHERE keepers = $1 AND keeper = $2 AND relation = 'with_'`),
	}
}

var (
	pendingOfNumbers, pendingOfTexts = pendingIn("recounts"), pendingIn("recounts_keyed")

	ownText     = statement.Of(`SELECT id FROM jobs WHERE id = $1 FOR UPDATE`)
	tableName   = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	errMoreLeft = errors.New("the row was restored or deleted meanwhile")
)

// keeper is a row whose dependents are counted, deleted, restored or removed.
type keeper struct {
	db      *store.DB
	table   string
	id      any
	pending []*pending
}

// work counts until nothing is left. Finished counts stay when it is ended: the next
// attempt goes on from there.
func (k *keeper) work(ctx context.Context, job *Claim) error {
	if !tableName.MatchString(k.table) {
		return Permanent(fmt.Errorf("%q is no table", k.table))
	}
	lock := statement.Of(`SELECT id FROM "` + k.table + `" WHERE id = $1 FOR UPDATE`)
	for {
		n, err := k.step(ctx, lock)
		if err != nil {
			return err
		}
		if n > 0 {
			continue
		}
		if err := k.remove(ctx); err != nil {
			return err
		}
		if err = job.Complete(ctx, func(ctx context.Context) error { return k.done(ctx, job.ID) }); !errors.Is(err, errMoreLeft) {
			return err
		}
	}
}

// arguments are those of the statements about what is left: ids are texts in one of the tables.
func (k *keeper) arguments(p *pending) []any {
	if p == pendingOfTexts {
		return []any{k.table, fmt.Sprint(k.id)}
	}
	return []any{k.table, k.id}
}

// count adds what a statement counts in each of the tables.
func (k *keeper) count(ctx context.Context, of func(*pending) statement.Statement) (all int64, err error) {
	for _, p := range k.pending {
		var n int64
		if _, err := of(p).Row(ctx, k.db, []any{&n}, k.arguments(p)...); err != nil {
			return 0, err
		}
		all += n
	}
	return all, nil
}

// turn is how steps of one table's rows take turns, since each locks its row first
// and then others in order, and two rows may count each other.
func (k *keeper) turn(ctx context.Context) error { return k.db.Lock(ctx, "recount "+k.table) }

// step is one transaction: a writer that adds a dependent of the row has committed
// before it, or waits for it.
func (k *keeper) step(ctx context.Context, lock statement.Statement) (n int64, err error) {
	err = k.db.InTx(ctx, func(ctx context.Context) error {
		if err := k.turn(ctx); err != nil {
			return err
		}
		var id any
		if _, err := lock.Row(ctx, k.db, []any{&id}, k.id); err != nil {
			return fmt.Errorf("lock %v of %s: %w", k.id, k.table, err)
		}
		for _, p := range k.pending {
			if n, err = p.step.Exec(ctx, k.db, k.arguments(p)...); err != nil {
				return fmt.Errorf("count what is of %v of %s: %w", k.id, k.table, err)
			}
			if n > 0 {
				break
			}
		}
		return nil
	})
	return n, err
}

// remove removes the row, if it is to be, after all that refers to it. By then nothing is
// left to count: the triggers of what goes leave the counts alone.
func (k *keeper) remove(ctx context.Context) error {
	removed, err := k.count(ctx, func(p *pending) statement.Statement { return p.removed })
	if err != nil || removed == 0 {
		return err
	}
	if err := removal.Of(k.db).Clear(ctx, k.table, k.id, k.turn); err != nil {
		return err
	}
	row := statement.Of(`DELETE FROM "` + k.table + `" WHERE id = $1 AND deleted_with = 0`)
	return k.db.InTx(ctx, func(ctx context.Context) error {
		if err := k.turn(ctx); err != nil {
			return err
		}
		if _, err := row.Exec(ctx, k.db, k.id); err != nil {
			return fmt.Errorf("remove %v of %s: %w", k.id, k.table, err)
		}
		return nil
	})
}

// done returns errMoreLeft where something is left to count. It locks the job's own row
// before it looks, as a deletion or restoration does that leaves it more to count.
func (k *keeper) done(ctx context.Context, job int64) error {
	var id int64
	if _, err := ownText.Row(ctx, k.db, []any{&id}, job); err != nil {
		return err
	}
	left, err := k.count(ctx, func(p *pending) statement.Statement { return p.left })
	if err != nil {
		return err
	}
	if left > 0 {
		return errMoreLeft
	}
	return nil
}
