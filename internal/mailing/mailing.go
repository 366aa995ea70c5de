// Package mailing sends mail to people: it takes a text, or the data for one of
// its templates, and makes a job of it.
//
// It owns the templates and what a letter must have. Sending is package
// mail's, when and how often is package jobs'; package worker brings the two
// together.
package mailing

import (
	"context"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Letter is a message that is ready to be sent. It is the arguments of a
// job, so it must hold nothing that the database may not know.
type Letter struct {
	To      string `json:"to"`
	Subject string `json:"subject"`
	Text    string `json:"text"`
	HTML    string `json:"html,omitempty"`
}

// Kind names the work.
func (Letter) Kind() string { return "email" }

// RunsAs is the system: the text was written when the job was asked for, and nothing else is read.
func (Letter) RunsAs() jobs.As { return jobs.AsSystem }

// Options lets mail overtake the rest: a user waits for it.
func (Letter) Options() jobs.Options { return jobs.Options{Queue: jobs.Urgent} }

// Parcel is a letter that is sent with files. It is a kind of its own, so that no process of a
// release that knows letters alone sends it without them.
type Parcel struct {
	Letter

	// Attachments are the ids of the files.
	Attachments []string `json:"attachments"`
}

// Kind names the work.
func (Parcel) Kind() string { return "parcel" }

// Order asks for a letter: with a subject and a text, or with a template and
// its data.
type Order struct {
	To                  string
	Subject, Text, HTML string
	Template            string
	Data                map[string]any
	// Attachments are addresses or ids of files that the caller can read.
	Attachments []string
}

// Postman accepts letters.
type Postman struct {
	Jobs *jobs.Client
	// Files has what is attached. Nil: nothing can be.
	Files *files.Keeper
}

// Send accepts a letter from a caller who may send any, and returns its
// job's id.
func (p *Postman) Send(ctx context.Context, o Order) (jobID int64, err error) {
	if err := entity.Email.Rules.Check(viewer.From(ctx), "send"); err != nil {
		return 0, err
	}
	l, bad := o.judged()
	if err := problem.Inputs(bad...); err != nil {
		return 0, err
	}
	if len(o.Attachments) == 0 {
		return p.Post(ctx, l)
	}
	ids, err := p.attach(ctx, o.Attachments)
	if err != nil {
		return 0, err
	}
	id, err := p.Jobs.Enqueue(ctx, Parcel{l, ids}, jobs.Options{})
	if err != nil {
		return 0, fmt.Errorf("post a letter with files: %w", err)
	}
	return id, nil
}

// longestAttachments is how many bytes all attachments of a letter have at most.
const longestAttachments = 10 << 20

// attach returns the ids of files that the caller can read and that may be sent.
func (p *Postman) attach(ctx context.Context, named []string) (ids []string, err error) {
	if p.Files == nil {
		return nil, problem.New(problem.Unavailable, "files are not kept here")
	}
	var total int64
	var bad []problem.Detail
	for i, name := range named {
		f, err := p.Files.Find(ctx, path.Base(name))
		if err == nil {
			err = p.Files.Content(f)
		}
		switch problem.KindOf(err) {
		case problem.NotFound, problem.ContentRefused:
			bad = append(bad, problem.Rulef(fmt.Sprintf("attachments[%d]", i), name, "must be the address of a file that you can read: %v", err))
			continue
		}
		if err != nil {
			return nil, err
		}
		total += f.Size
		ids = append(ids, f.Key())
	}
	if total > longestAttachments {
		bad = append(bad, problem.Rulef("attachments", nil, "have %d bytes, and %d are allowed in all", total, longestAttachments))
	}
	return ids, problem.Inputs(bad...)
}

// Attachment is the file as an attachment of a message.
func Attachment(k *files.Keeper, f *files.File) mail.Attachment {
	return mail.Attachment{
		Name: f.Name, MediaType: f.MediaType, Size: f.Size, URL: f.Address,
		Open: func(ctx context.Context) (io.ReadCloser, error) { return k.Open(ctx, f, 0, -1) },
	}
}

// judged is the letter that the order asks for, and what keeps it from being sent.
func (o Order) judged() (Letter, []problem.Detail) {
	l, bad := o.letter()
	if o.Template == "" || len(bad) == 0 { // else what is missing is the template's fault
		if l.Subject == "" {
			bad = append(bad, problem.Invalidf("subject", nil, "is required"))
		}
		bad = append(bad, required("text", l.Text)...)
	}
	return l, append(bad, l.check()...)
}

// Post accepts a letter that an operation has written, in its transaction.
func (p *Postman) Post(ctx context.Context, l Letter) (jobID int64, err error) {
	id, err := p.Jobs.Enqueue(ctx, l, jobs.Options{})
	if err != nil {
		return 0, fmt.Errorf("post a letter: %w", err)
	}
	return id, nil
}

// letter writes the letter that the order asks for.
func (o Order) letter() (Letter, []problem.Detail) {
	l := Letter{To: o.To, Subject: o.Subject, Text: o.Text, HTML: o.HTML}
	if o.Template == "" {
		if o.Data != nil {
			return l, []problem.Detail{problem.Invalidf("data", nil, "is for a template: name one, or leave the data out")}
		}
		return l, nil
	}
	var bad []problem.Detail
	for _, f := range [][2]string{{"text", o.Text}, {"html", o.HTML}} {
		if f[1] != "" {
			bad = append(bad, problem.Invalidf(f[0], nil, "is what the template writes: leave it out, or the template"))
		}
	}
	written, unfit := render(o.Template, o.Data)
	if unfit != nil {
		return l, append(bad, unfit...)
	}
	written.To = o.To
	if o.Subject != "" {
		written.Subject = o.Subject
	}
	return written, bad
}

const (
	longestSubject = 250
	longestText    = 500_000
)

func required(field, value string) []problem.Detail {
	if strings.TrimSpace(value) != "" {
		return nil
	}
	return []problem.Detail{problem.Invalidf(field, nil, "is required")}
}

// check lists what keeps the letter from being sent.
func (l Letter) check() (bad []problem.Detail) {
	bad = required("to", l.To)
	if err := expose.ValidEmail(l.To); err != nil && l.To != "" {
		bad = append(bad, problem.Rulef("to", l.To, "%v", err))
	}
	if err := expose.ValidLine(l.Subject); err != nil {
		bad = append(bad, problem.Rulef("subject", l.Subject, "%v", err))
	} else if len(l.Subject) > longestSubject {
		bad = append(bad, problem.Rulef("subject", l.Subject, "must be at most %d bytes", longestSubject))
	}
	for _, f := range [][2]string{{"text", l.Text}, {"html", l.HTML}} {
		if len(f[1]) > longestText || strings.ContainsRune(f[1], 0) {
			bad = append(bad, problem.Rulef(f[0], nil, "must be at most %d bytes, without NUL", longestText))
		}
	}
	return bad
}
