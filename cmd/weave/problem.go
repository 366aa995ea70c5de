package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
)

// problem is a mistake in a project, as weave check --json writes it.
type problem struct {
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	// Names the entity or the field: "Post.title".
	What string `json:"what,omitempty"`
	// Says describes the mistake, and the allowed values.
	Says string `json:"says"`
}

// writeProblems writes the mistakes that the error has, and returns how many there are,
// nil where there is none.
func writeProblems(p *process, against string, err error) error {
	all := append([]problem{}, problems(err)...)
	e := json.NewEncoder(p.stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(map[string]any{"against": against, "problems": all, "findings": []string{}}); err != nil {
		return err
	}
	switch len(all) {
	case 0:
		return nil
	case 1:
		return errors.New("the project has 1 problem")
	}
	return fmt.Errorf("the project has %d problems", len(all))
}

// problems are the single mistakes of an error, with their places.
func problems(err error) (all []problem) {
	for _, single := range model.Findings(err) {
		if f, ok := errors.AsType[*model.SchemaError](single); ok {
			one := problem{What: f.Entity, Says: f.Err.Error()}
			if f.Member != "" {
				one.What += "." + f.Member
			}
			one.File, one.Line = placed(f.At)
			all = append(all, one)
			continue
		}
		all = append(all, compiled(single.Error())...)
	}
	return all
}

// atLine is a line of the Go compiler, or of a finding about Go code.
var atLine = regexp.MustCompile(`(?m)^\s*(?:\./)?([^\s:]+\.go:\d+)(?::\d+)?: (.+)$`)

// compiled are the mistakes in the text that name a line, or the text itself.
func compiled(text string) (all []problem) {
	for _, m := range atLine.FindAllStringSubmatch(text, -1) {
		one := problem{Says: m[2]}
		one.File, one.Line = placed(m[1])
		all = append(all, one)
	}
	if len(all) == 0 {
		all = []problem{{Says: text}}
	}
	return all
}

// placed splits "schema/post.go:41".
func placed(at string) (file string, line int) {
	file, number, _ := strings.Cut(at, ":")
	line, _ = strconv.Atoi(number)
	return file, line
}
