package rest

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/rest/crud"
	"github.com/entwine-go/entwine/rest/oas/server"
)

// searchGuards are the guards of the operations in user_search.yaml.
var searchGuards = map[string]handler.Guard{"searchUsers": {Entity: entity.User}}

// SearchUsers answers with a page of users: POST /users/search. The body says
// what the parameters of a listing do, in other words. It is by hand, because
// those words are this operation's alone.
func (o *operations) SearchUsers(ctx context.Context, req *server.SearchUsersReq, w http.ResponseWriter) error {
	x := handler.From(ctx)
	if err := x.OnlyQuery("fields", "expand"); err != nil {
		return err
	}
	return searched(o.door.Search(ctx, w, crud.UserResource, searchValues(x.Request.URL.Query(), req)))
}

// searchValues are the parameters of a listing that asks for the same.
func searchValues(values url.Values, req *server.SearchUsersReq) url.Values {
	f := req.Filters.Value
	if len(f.Role) > 0 {
		roles := make([]string, len(f.Role))
		for i, role := range f.Role {
			roles[i] = string(role)
		}
		values.Set("role[in]", strings.Join(roles, ","))
	}
	if after, ok := f.CreatedAfter.Get(); ok {
		values.Set("created_at[gt]", after)
	}
	if active, ok := f.IsActive.Get(); ok {
		values.Set("is_active", strconv.FormatBool(active))
	}
	if sort, ok := req.Sort.Get(); ok {
		values.Set("sort", sort.Field)
		values.Set("order", string(sort.Order.Or(server.SearchUsersReqSortOrderAsc)))
	}
	if page, ok := req.Page.Get(); ok {
		values.Set("page", strconv.Itoa(page))
	}
	if limit, ok := req.Limit.Get(); ok {
		values.Set("limit", strconv.Itoa(limit))
	}
	return values
}

// searchNames are the parameters' names in the body.
var searchNames = map[string]string{
	"role[in]": "filters.role", "created_at[gt]": "filters.created_after", "is_active": "filters.is_active", "sort": "sort.field", "order": "sort.order",
}

// searched gives what is wrong with the parameters the names of the body.
func searched(err error) error {
	p := problem.As(err)
	if p == nil {
		return err
	}
	renamed := *p
	renamed.Details = nil
	for _, d := range p.Details {
		if name, ok := searchNames[d.Field]; ok {
			d.Field = name
		}
		renamed.Details = append(renamed.Details, d)
	}
	return &renamed
}
