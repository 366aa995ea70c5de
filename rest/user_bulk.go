package rest

import (
	"context"
	"encoding/json"
	"net/http"
	"runtime"
	"slices"

	"github.com/go-faster/jx"
	"golang.org/x/sync/errgroup"

	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/idempotency"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/kit/runtime/resource/failure"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/rest/oas/server"
)

// result is what became of one item of many.
type result struct {
	Status int             `json:"status"`
	Data   json.RawMessage `json:"data,omitempty"`
	Error  *failure.Member `json:"error,omitempty"`
	// id is the user's who was made.
	id int64
}

// keptResult is a result as it is kept for an Idempotency-Key: the user is
// read again.
type keptResult struct {
	Status int             `json:"status"`
	ID     int64           `json:"id,omitempty"`
	Error  *failure.Member `json:"error,omitempty"`
}

// CreateUsers makes many users, each in a savepoint: POST /users/bulk.
func (o *operations) CreateUsers(ctx context.Context, req *server.CreateUsersReq, w http.ResponseWriter) error {
	x := door.From(ctx)
	if err := x.OnlyQuery(); err != nil {
		return err
	}
	hashes, bad := o.judgeUsers(ctx, req.Users)
	var results []result
	err := o.DB.InTx(ctx, func(ctx context.Context) error {
		results = make([]result, len(req.Users))
		for i := range req.Users {
			err := bad[i]
			if malformed := x.Malformed[i]; malformed != nil {
				err = malformed
			}
			var made door.Row
			if err == nil {
				err = o.DB.InTx(ctx, func(ctx context.Context) (err error) {
					made, err = o.insertUser(ctx, &req.Users[i], hashes[i])
					return err
				})
			}
			results[i] = o.resultOf(ctx, http.StatusCreated, taken(err, req.Users[i].Email.Value))
			if err == nil {
				results[i].id = made.ID
			}
		}
		var err error
		if x.Outcome.Body, err = keptResults(results); err != nil {
			return err
		}
		return o.showUsers(ctx, results)
	})
	return o.answerResults(ctx, w, results, err)
}

// taken gives the error of an address that another user has its value.
func taken(err error, email string) error {
	if err = door.Failed(entity.User, err); problem.KindOf(err) != problem.Duplicate {
		return err
	}
	return problem.Retold(err, func(d problem.Detail) problem.Detail {
		if d.Field == entity.UserFields.Email.REST {
			d.Value, d.Echo = email, true
		}
		return d
	})
}

// decodeUser decodes a new user as the server does, to find out whether it can.
func decodeUser(d *jx.Decoder) error { return new(server.UserCreate).Decode(d) }

// judgeUsers judges and hashes on all processors.
func (o *operations) judgeUsers(ctx context.Context, users []server.UserCreate) (hashes []string, bad []error) {
	hashes, bad = make([]string, len(users)), make([]error, len(users))
	var all errgroup.Group
	all.SetLimit(runtime.GOMAXPROCS(0))
	for i := range users {
		all.Go(func() error {
			hashes[i], bad[i] = o.judgeUser(ctx, &users[i])
			return nil
		})
	}
	_ = all.Wait() // each error is its user's
	return hashes, bad
}

// keptResults writes down what became of each user.
func keptResults(results []result) ([]byte, error) {
	kept := make([]keptResult, len(results))
	for i, r := range results {
		kept[i] = keptResult{r.Status, r.id, r.Error}
	}
	return json.Marshal(kept)
}

// usersAgain answers a repetition of CreateUsers with the users as they are
// now: null for those who are there no more.
func (o *operations) usersAgain(ctx context.Context, w http.ResponseWriter, outcome idempotency.Outcome) error {
	var kept []keptResult
	if err := json.Unmarshal(outcome.Body, &kept); err != nil {
		return idempotency.Forgotten()
	}
	results := make([]result, len(kept))
	for i, k := range kept {
		results[i] = result{Status: k.Status, Error: k.Error, id: k.ID}
	}
	return o.answerResults(ctx, w, results, o.showUsers(ctx, results))
}

// showUsers puts the users who were made into their results.
func (o *operations) showUsers(ctx context.Context, results []result) error {
	var made []int64
	for _, r := range results {
		if r.id != 0 {
			made = append(made, r.id)
		}
	}
	if len(made) == 0 {
		return nil
	}
	rows, _, err := o.door.Reader.Nodes(ctx, nil, reading.Whole(entity.User, viewer.From(ctx)), made)
	if err != nil {
		return err
	}
	var shown []json.RawMessage
	if err := json.Unmarshal(rows, &shown); err != nil {
		return err
	}
	for i := range results {
		if results[i].id != 0 {
			results[i].Data, shown = shown[0], shown[1:]
		}
	}
	return nil
}

// DeleteUsers deletes many users, each in a savepoint: DELETE /users/bulk.
func (o *operations) DeleteUsers(ctx context.Context, req server.OptDeleteUsersReq, params server.DeleteUsersParams, w http.ResponseWriter) error {
	if err := door.From(ctx).OnlyQuery("ids"); err != nil {
		return err
	}
	if req.IsSet() == (len(params.Ids) > 0) {
		return problem.Inputs(problem.Invalidf("ids", nil, "are needed either in the body or in the parameter"))
	}
	ids := slices.Concat(params.Ids, req.Value.Ids)
	var results []result
	err := o.DB.InTx(ctx, func(ctx context.Context) error {
		results = make([]result, len(ids))
		for i, id := range ids {
			err := o.DB.InTx(ctx, func(ctx context.Context) error {
				n, err := o.Users.Client.User.Hide(ctx, typedid.UserID(id), door.Now())
				if err == nil && n == 0 {
					err = o.door.Reader.Why(ctx, entity.User, id, policy.Delete)
				}
				return err
			})
			results[i] = o.resultOf(ctx, http.StatusNoContent, err)
		}
		return nil
	})
	return o.answerResults(ctx, w, results, err)
}

// resultOf is the result of an item. What a client may not read is logged.
func (o *operations) resultOf(ctx context.Context, done int, err error) result {
	if err == nil {
		return result{Status: done}
	}
	p := problem.As(door.Failed(entity.User, err))
	if p == nil || p.Kind == problem.Internal {
		o.Log.ErrorContext(ctx, "item failed", "operation", door.From(ctx).Operation, "err", err)
		p = problem.New(problem.Internal, "an internal error occurred")
	}
	member := failure.NewMember(p)
	return result{Status: failure.Status(p), Error: &member}
}

func (o *operations) answerResults(ctx context.Context, w http.ResponseWriter, results []result, err error) error {
	if err != nil {
		return err
	}
	body, err := json.Marshal(struct {
		Status  string   `json:"status"`
		Results []result `json:"results"`
	}{success, results})
	if err != nil {
		return err
	}
	return door.From(ctx).Answer(w, door.Answer{Status: http.StatusMultiStatus, Body: body})
}
