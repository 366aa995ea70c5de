package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/change"
	"github.com/entwine-go/entwine/kit/codegen/planner"
)

// given are the flags of weave migrate diff that say what is meant.
func given(allow planner.Allow, codes []string) (flags []string) {
	for _, name := range allow.Drop {
		flags = append(flags, "--drop "+name)
	}
	for _, code := range slices.Concat(codes, allow.Accept) {
		flags = append(flags, "--accept "+code)
	}
	return flags
}

var flagForm = regexp.MustCompile(`--(drop|accept) \S+`)

// flags say of all that breaks that it is meant: none while it is asked of
// something whether it is a rename, since the flags would drop it.
func (j *judgement) flags() (flags []string) {
	if len(change.Asked(j.found)) > 0 {
		return nil
	}
	for _, f := range change.Refused(j.found) {
		flags = append(flags, "--accept "+f.Code)
		flags = append(flags, flagForm.FindAllString(f.Command, -1)...)
	}
	return flags
}

// withMake adds the command of make to what is refused unless the flags say that it
// is meant. Makefiles that a project wrote itself, or has from before ALLOW, have no
// such command.
func withMake(p *process, refused error, name string, given, flags []string) error {
	makefile, err := readIfThere(filepath.Join(p.root, "Makefile"))
	if err != nil || len(flags) == 0 || !strings.Contains(makefile, "migrate diff '$(NAME)' $(ALLOW)") {
		return errors.Join(refused, err)
	}
	all := unique(slices.Concat(given, flags))
	return fmt.Errorf("%w\nIf all of that is meant: make migration NAME=%s ALLOW=%q", refused, name, strings.Join(all, " "))
}

// unique leaves out what is there twice.
func unique(all []string) (once []string) {
	there := map[string]bool{}
	for _, s := range all {
		if !there[s] {
			once = append(once, s)
		}
		there[s] = true
	}
	return once
}
