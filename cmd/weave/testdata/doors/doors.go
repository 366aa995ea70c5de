package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"

	"example.com/acme/notes/ent"
	"example.com/acme/notes/ent/box"
	"example.com/acme/notes/ent/item"
	"example.com/acme/notes/ent/label"
	"example.com/acme/notes/ent/orm"
	"example.com/acme/notes/ent/tally"
	"example.com/acme/notes/ent/typedid"
	"example.com/acme/notes/internal/rows"
	"example.com/acme/notes/internal/service"
	"example.com/acme/notes/schema"
)

func open(h *app.Host) (*app.Parts, error) {
	return &app.Parts{
		Methods: rows.NewMethods(service.Keys(h), performer{h}, jobs.Actions{Client: h.Jobs}),
		Kinds:   []jobs.Kind{jobs.Handle[errand](performer{h})},
	}, nil
}

// errand is a job that does something as who has asked for it.
type errand struct {
	What string `json:"what"`
}

// Kind names the kind of job.
func (errand) Kind() string { return "errand" }

// performer does things by Ent's client.
type performer struct{ *app.Host }

// Perform implements rows.BoxMethods.
func (p performer) Perform(ctx context.Context, in rows.BoxPerform) (write.Result, error) {
	return write.Result{}, perform(ctx, orm.Client(p.DB), in.What)
}

// Work implements jobs.Handler.
func (p performer) Work(ctx context.Context, job *jobs.Job[errand]) error {
	err := job.Complete(ctx, func(ctx context.Context) error { return perform(ctx, orm.Client(p.DB), job.Args.What) })
	if err != nil {
		return jobs.Permanent(err)
	}
	return nil
}

func perform(ctx context.Context, c *ent.Client, what string) error {
	var o op
	if err := json.Unmarshal([]byte(what), &o); err != nil {
		return err
	}
	return o.byClient(ctx, c)
}

// op is something that is done to rows.
type op struct {
	Do                   string
	Where                bool // by a predicate, where that can be
	Box, To, Item, Tally int64
	Labels               []string
	Items                []int64
	// Had are the rows at the other end before, of the labels or the items.
	HadLabels                   []string
	HadItems                    []int64
	Tag, Name, Note, Code, Kind string
	Secret, Shout               string
	Tags                        []string
	Weight                      int64
	Fragile                     bool
}

var errNone = problem.New(problem.NotFound, "no row was touched")

func some(n int, err error) error {
	if err == nil && n == 0 {
		return errNone
	}
	return err
}

// labels are those in the one list that are not in the other.
func labels(in, without []string) (ids []uuid.UUID) {
	for _, text := range in {
		if !slices.Contains(without, text) {
			ids = append(ids, uuid.MustParse(text))
		}
	}
	return ids
}

// items are those in the one list that are not in the other.
func items(in, without []int64) (ids []typedid.ItemID) {
	for _, id := range in {
		if !slices.Contains(without, id) {
			ids = append(ids, typedid.ItemID(id))
		}
	}
	return ids
}

// box has the values of a new row.
func (o op) box(ctx context.Context, c *ent.Client, tag, name string) *ent.BoxCreate {
	made := c.Box.Create().SetTag(tag).SetName(name).SetCode(o.Code).SetSecret(o.Secret).SetShout(schema.Loud(o.Shout)).SetOwnerID(typedid.UserID(viewer.From(ctx).UserID))
	if o.Note != "" {
		made.SetNote(o.Note)
	}
	return made
}

// byClient does it by Ent's client.
func (o op) byClient(ctx context.Context, c *ent.Client) error {
	id, to, it := typedid.BoxID(o.Box), typedid.BoxID(o.To), typedid.ItemID(o.Item)
	switch o.Do {
	case "make":
		return o.box(ctx, c, o.Tag, o.Name).Exec(ctx)
	case "make many":
		var all []*ent.BoxCreate
		for i, tag := range o.Tags {
			all = append(all, o.box(ctx, c, tag, fmt.Sprint(o.Name, " ", i)))
		}
		return c.Box.CreateBulk(all...).Exec(ctx)
	case "rename":
		if o.Where {
			return some(c.Box.Update().Where(box.ID(id)).SetName(o.Name).Save(ctx))
		}
		return c.Box.UpdateOneID(id).SetName(o.Name).Exec(ctx)
	case "note":
		switch {
		case o.Where && o.Note == "":
			return some(c.Box.Update().Where(box.ID(id)).ClearNote().Save(ctx))
		case o.Where:
			return some(c.Box.Update().Where(box.ID(id)).SetNote(o.Note).Save(ctx))
		case o.Note == "":
			return c.Box.UpdateOneID(id).ClearNote().Exec(ctx)
		}
		return c.Box.UpdateOneID(id).SetNote(o.Note).Exec(ctx)
	case "seal":
		if o.Where {
			return some(c.Box.Update().Where(box.ID(id)).SetSecret(o.Secret).SetShout(schema.Loud(o.Shout)).SetCode(o.Code).Save(ctx))
		}
		return c.Box.UpdateOneID(id).SetSecret(o.Secret).SetShout(schema.Loud(o.Shout)).SetCode(o.Code).Exec(ctx)
	case "close":
		return c.Box.UpdateOneID(id).Where(box.StatusEQ(box.StatusOpen)).SetStatus(box.StatusClosed).Exec(policy.As(ctx, "close"))
	case "reopen":
		return c.Box.UpdateOneID(id).Where(box.StatusEQ(box.StatusClosed)).SetStatus(box.StatusOpen).Exec(policy.As(ctx, "reopen"))
	case "hide":
		return some(c.Box.Hide(ctx, id, now()))
	case "restore":
		return some(c.Box.Restore(ctx, id))
	case "remove":
		if o.Where {
			return some(c.Box.Delete().Where(box.ID(id)).Exec(ctx))
		}
		return c.Box.DeleteOneID(id).Exec(ctx)
	case "put":
		return c.Item.Create().SetTag(o.Tag).SetWeight(o.Weight).SetFragile(o.Fragile).SetBoxID(id).Exec(ctx)
	case "weigh":
		if o.Where {
			return some(c.Item.Update().Where(item.ID(it)).SetWeight(o.Weight).SetFragile(o.Fragile).Save(ctx))
		}
		return c.Item.UpdateOneID(it).SetWeight(o.Weight).SetFragile(o.Fragile).Exec(ctx)
	case "heavier":
		_, err := c.Item.Update().Where(item.BoxID(id)).SetWeight(o.Weight).Save(ctx)
		return err
	case "move":
		switch {
		case o.Where:
			return some(c.Item.Update().Where(item.ID(it)).SetBoxID(to).Save(ctx))
		}
		return c.Item.UpdateOneID(it).SetBoxID(to).Exec(ctx)
	case "drop":
		if o.Where {
			return some(c.Item.Delete().Where(item.ID(it)).Exec(ctx))
		}
		return c.Item.DeleteOneID(it).Exec(ctx)
	case "label":
		return c.Label.Create().SetTag(o.Tag).Exec(ctx)
	case "unlabel":
		return c.Label.DeleteOneID(uuid.MustParse(o.Labels[0])).Exec(ctx)
	case "labels":
		if o.Where {
			return some(c.Item.Update().Where(item.ID(it)).AddLabelIDs(labels(o.Labels, o.HadLabels)...).RemoveLabelIDs(labels(o.HadLabels, o.Labels)...).Save(ctx))
		}
		return c.Item.UpdateOneID(it).AddLabelIDs(labels(o.Labels, o.HadLabels)...).RemoveLabelIDs(labels(o.HadLabels, o.Labels)...).Exec(ctx)
	case "items":
		one := uuid.MustParse(o.Labels[0])
		if o.Where {
			return some(c.Label.Update().Where(label.ID(one)).AddItemIDs(items(o.Items, o.HadItems)...).RemoveItemIDs(items(o.HadItems, o.Items)...).Save(ctx))
		}
		return c.Label.UpdateOneID(one).AddItemIDs(items(o.Items, o.HadItems)...).RemoveItemIDs(items(o.HadItems, o.Items)...).Exec(ctx)
	case "tally":
		return c.Tally.Create().SetBoxID(id).SetKind(o.Kind).SetQuantity(o.Weight).
			OnConflictColumns(tally.FieldBoxID, tally.FieldKind).Update(func(u *ent.TallyUpsert) { u.AddQuantity(o.Weight) }).Exec(ctx)
	case "retally":
		of, err := c.Tally.Get(ctx, typedid.TallyID(o.Tally))
		if err != nil {
			return err
		}
		return c.Tally.Create().SetBoxID(of.BoxID).SetKind(of.Kind).SetQuantity(o.Weight).OnConflictColumns(tally.FieldBoxID, tally.FieldKind).UpdateNewValues().Exec(ctx)
	}
	return fmt.Errorf("%q is nothing that is done", o.Do)
}

// now is when a row is hidden.
func now() time.Time { return time.Now().UTC() }
