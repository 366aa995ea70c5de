package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"

	"example.com/acme/notes/ent"
	"example.com/acme/notes/ent/orm"
)

// step is an operation with the tags of its rows.
type step struct {
	op
	who            string
	box, to, item  string
	tally          string // the tag of its box, and its kind
	labels, things []string
}

// resolved is the operation with the ids that the rows have in this world.
func (w *world) resolved(s step) op {
	w.Helper()
	o := s.op
	id := func(table, tag string) (id int64) {
		if tag == "" {
			return 0
		}
		return w.one(`SELECT id FROM ` + table + ` WHERE tag = '` + tag + `'`)
	}
	o.Box, o.To, o.Item = id("boxes", s.box), id("boxes", s.to), id("items", s.item)
	if tag, kind, ok := strings.Cut(s.tally, " "); ok {
		o.Tally = w.one(`SELECT t.id FROM tallies t JOIN boxes b ON b.id = t.box_id WHERE b.tag = '` + tag + `' AND t.kind = '` + kind + `'`)
	}
	for _, tag := range s.labels {
		o.Labels = append(o.Labels, w.lines(`SELECT CAST(id AS text) FROM labels WHERE tag = '` + tag + `'`)[0])
	}
	for _, tag := range s.things {
		o.Items = append(o.Items, id("items", tag))
	}
	switch o.Do {
	case "labels":
		o.HadLabels = w.lines(fmt.Sprintf(`SELECT CAST(label_id AS text) FROM item_labels WHERE item_id = %d`, o.Item))
	case "items":
		for _, text := range w.lines(`SELECT item_id FROM item_labels WHERE CAST(label_id AS text) = '` + o.Labels[0] + `'`) {
			had, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				w.Fatal(err)
			}
			o.HadItems = append(o.HadItems, had)
		}
	}
	return o
}

// outcome is a status, or what the client says, of which a refusal is known by more
// doors than its reason.
type outcome struct {
	status int // of REST and GraphQL, 0 of others
	ok     bool
	says   string
}

func failed(err error) outcome {
	if err == nil {
		return outcome{ok: true}
	}
	if kind := problem.KindOf(store.Problem(err)); kind == problem.Internal {
		return outcome{says: "INTERNAL: " + err.Error()}
	}
	return outcome{says: err.Error()}
}

// doors are those by which a step can be done.
var doors = map[string]func(w *world, who string, o op) outcome{
	"rest v1":     func(w *world, who string, o op) outcome { return o.byREST(w, who, rest{w, "/api/v1"}) },
	"rest v2":     func(w *world, who string, o op) outcome { return o.byREST(w, who, rest{w, "/api/v2"}) },
	"graphql":     func(w *world, who string, o op) outcome { return o.byGraphQL(w, who) },
	"client":      func(w *world, who string, o op) outcome { return failed(o.byClient(w.as(who), orm.Client(w.host.DB))) },
	"predicate":   byPredicate,
	"transaction": byTransaction,
	"job":         byJob,
	"action":      byAction,
}

func (w *world) as(who string) context.Context { return viewer.With(w.Context(), w.viewers[who]) }

func byPredicate(w *world, who string, o op) outcome {
	o.Where = true
	return failed(o.byClient(w.as(who), orm.Client(w.host.DB)))
}

func byTransaction(w *world, who string, o op) outcome {
	ctx := w.as(who)
	tx, err := orm.Client(w.host.DB).Tx(ctx)
	if err != nil {
		w.Fatal(err)
	}
	if err := o.byClient(ent.NewTxContext(ctx, tx), tx.Client()); err != nil {
		return failed(errors.Join(err, tx.Rollback()))
	}
	return failed(tx.Commit())
}

func (o op) text(w *world) string {
	text, err := json.Marshal(o)
	if err != nil {
		w.Fatal(err)
	}
	return string(text)
}

func byJob(w *world, who string, o op) outcome {
	asked, err := w.host.Jobs.Enqueue(w.as(who), errand{o.text(w)}, jobs.Options{})
	if err != nil {
		w.Fatal(err)
	}
	if err := w.runner.Run(w.Context(), asked); err != nil {
		w.Fatal(err)
	}
	status := w.lines(fmt.Sprintf(`SELECT status, error FROM jobs WHERE id = %d`, asked))[0]
	w.exec(fmt.Sprintf(`DELETE FROM jobs WHERE id = %d`, asked))
	return outcome{ok: strings.HasPrefix(status, "succeeded"), says: status}
}

func byAction(w *world, who string, o op) outcome {
	status, body := w.send(who, "POST", "/api/v1/perform", map[string]any{"what": o.text(w)})
	return outcome{ok: status < 300, says: fmt.Sprint(status, " ", string(body))}
}
