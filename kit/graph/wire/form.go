package wire

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/internal/strictjson"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/web"
)

// A form is an operation with the files of its variables, as the GraphQL multipart request
// specification has it (https://github.com/jaydenseric/graphql-multipart-request-spec).
// The first part is the operation, in which null stands for each file, the second one
// says where each is, and the files follow in this order. A variable gets the address
// that its file will have, so that the operation is judged, and charged for, before a
// byte of the files is read.
type form struct {
	handler *Handler
	parts   *multipart.Reader
	files   []*sent
	taken   []string // the ids of those that were, without a key
}

// sent is a file of a form.
type sent struct {
	part, id string
	path     []string // of the variable
	key      string   // makes repetitions one file
}

const (
	// mostFiles is how many files a form has at most.
	mostFiles = 20
	// longestMap bounds the part that says where the files are.
	longestMap = 16 << 10
)

// form runs the operation of a form.
func (h *Handler) form(w http.ResponseWriter, r *http.Request) {
	if !web.Preflighted(r) { // a page of another site sends a form without asking first
		refuse(w, r, problem.New(problem.Invalid, "a form must have a header that makes browsers ask before they send it for another site: GraphQL-Require-Preflight: true"))
		return
	}
	f, params, err := h.begin(r)
	if err != nil {
		WriteError(w, r, err)
		return
	}
	params.Headers = r.Header
	h.execute(w, r, params, f)
}

// begin reads what comes before the files.
func (h *Handler) begin(r *http.Request) (*form, *graphql.RawParams, error) {
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, nil, problem.New(problem.Invalid, "the form is malformed: %v", err)
	}
	f := &form{handler: h, parts: parts}
	operation, err := f.text("operations", maxBody)
	if err != nil {
		return nil, nil, err
	}
	params, refused := decoded(operation)
	if refused != nil {
		return nil, nil, refused
	}
	list, err := f.text("map", longestMap)
	if err != nil {
		return nil, nil, err
	}
	return f, params, f.place(r, list, params.Variables)
}

// next is the part with the name, which has to follow.
func (f *form) next(name string) (*multipart.Part, error) {
	part, err := f.parts.NextPart()
	switch {
	case errors.Is(err, io.EOF):
		return nil, problem.New(problem.Invalid, "the form has no part %q: operations, map and then the files in the order of the map are allowed", name)
	case err != nil:
		return nil, unread(err)
	case part.FormName() != name:
		return nil, problem.New(problem.Invalid, "the form has a part %q where %q must be: operations, map and then the files in the order of the map are allowed", part.FormName(), name)
	}
	return part, nil
}

// text is the content of a part of at most so many bytes.
func (f *form) text(name string, most int64) ([]byte, error) {
	part, err := f.next(name)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(io.LimitReader(part, most+1))
	switch {
	case err != nil:
		return nil, unread(err)
	case int64(len(content)) > most:
		return nil, problem.New(problem.TooLarge, "the part %q of the form has more than %d bytes", name, most)
	}
	return content, nil
}

// unread is why a form could not be read.
func unread(err error) error {
	if p := problem.As(web.Unread(err)); p != nil && p.Kind != problem.Internal {
		return p
	}
	return problem.New(problem.Invalid, "the form is malformed: %v", err)
}

// place reads the map, and has each variable in it be the address that its file will have.
func (f *form) place(r *http.Request, list []byte, variables map[string]any) error {
	members, err := strictjson.Members(nil, list)
	if err != nil || !strictjson.IsObject(list) {
		return problem.New(problem.Invalid, `map must be a JSON object of lists of paths, as in {"0": ["variables.input.avatar"]}`)
	}
	if len(members) > mostFiles {
		return problem.New(problem.Invalid, "map has %d files: at most %d are allowed", len(members), mostFiles)
	}
	for _, m := range members {
		var paths []string
		if json.Unmarshal(m.Value, &paths) != nil || len(paths) != 1 {
			return problem.New(problem.Invalid, "map: %q must be a list of one path: a file is for one row", m.Name)
		}
		s := &sent{part: string(m.Name), path: strings.Split(paths[0], ".")}
		if key := r.Header.Get("Idempotency-Key"); key != "" {
			s.key = key + "\x00" + paths[0]
		}
		if s.id, err = f.handler.Files.NewID(r.Context(), s.key); err != nil {
			return err
		}
		if !s.set(variables) {
			return problem.New(problem.Invalid, "map: %s must be a variable that is null", paths[0])
		}
		f.files = append(f.files, s)
	}
	return nil
}

// set has the variable be the address, and reports whether it is there and null.
func (s *sent) set(variables map[string]any) bool {
	if s.path[0] != "variables" || len(s.path) < 2 {
		return false
	}
	s.path = s.path[1:]
	var in any = variables
	for i, name := range s.path {
		last := i == len(s.path)-1
		switch all := in.(type) {
		case map[string]any:
			value, there := all[name]
			if last {
				if there = there && value == nil; there {
					all[name] = expose.FilePath + s.id
				}
				return there
			}
			in = value
		case []any:
			n, err := strconv.Atoi(name)
			if err != nil || n < 0 || n >= len(all) {
				return false
			}
			if last {
				if all[n] != nil {
					return false
				}
				all[n] = expose.FilePath + s.id
				return true
			}
			in = all[n]
		default:
			return false
		}
	}
	return false
}

// take stores the files, once the caller may write each of their fields.
func (f *form) take(ctx context.Context, op *graphql.OperationContext) error {
	if op.Operation.Operation != ast.Mutation && len(f.files) > 0 {
		return problem.New(problem.Invalid, "files are for mutations: upload no file with a query")
	}
	targets := make([]files.Target, len(f.files))
	for i, s := range f.files {
		t, ok := f.handler.target(op, s.path)
		if !ok {
			return problem.New(problem.Invalid, "variables.%s takes no file: a field that has files is allowed", strings.Join(s.path, "."))
		}
		if err := f.handler.Files.Admit(ctx, t); err != nil {
			return err
		}
		targets[i] = t
	}
	for i, s := range f.files {
		part, err := f.next(s.part)
		if err != nil {
			return err
		}
		if _, err := f.handler.Files.Take(ctx, files.Upload{Target: targets[i], Name: web.FileName(part), Body: body{part}, ID: s.id, Key: s.key}); err != nil {
			return err
		}
		if s.key == "" {
			f.taken = append(f.taken, s.id)
		}
	}
	if part, err := f.parts.NextPart(); err == nil {
		return problem.New(problem.Invalid, "the form has a part %q that map has no place for", part.FormName())
	} else if !errors.Is(err, io.EOF) {
		return unread(err)
	}
	return nil
}

// body is a part whose errors are the client's.
type body struct{ io.Reader }

func (b body) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = unread(err)
	}
	return n, err
}

// end removes the files that no row has got. Those of a request with a key are for its
// repetition, and go a day later.
func (f *form) end(ctx context.Context) {
	if len(f.taken) > 0 {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), f.handler.RequestTime)
		defer cancel()
		_ = f.handler.Files.Abandon(ctx, f.taken) // else they go a day later
	}
}
