package jobs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/entwine-go/entwine/kit/viewer"
)

// tenantMember is the member of a job's arguments that says for which tenant it
// was enqueued: the job is done within that. Triggers write it, too. It is no
// argument, so that services without tenants have no column for it.
const tenantMember = "$tenant"

// inTenant adds the tenant of who enqueues a job to its arguments.
func inTenant(v *viewer.Viewer, args []byte) ([]byte, error) {
	for _, member := range []string{tenantMember, byMember} {
		if value, _, err := takeMember(args, member); err != nil || value != nil {
			return nil, fmt.Errorf("arguments have no member %q", member)
		}
	}
	if v.Tenant == 0 {
		return args, nil
	}
	return withMember(args, tenantMember, strconv.FormatInt(v.Tenant, 10))
}

// withMember adds a member to arguments.
func withMember(args []byte, name, value string) ([]byte, error) {
	rest, ok := bytes.CutSuffix(args, []byte("}"))
	if !ok || len(args) == 0 || args[0] != '{' {
		return nil, fmt.Errorf("arguments of a job that a user, an API key or a tenant asks for are a JSON object")
	}
	args = bytes.Clone(rest)
	if len(rest) > 1 {
		args = append(args, ',')
	}
	return append(args, `"`+name+`":`+value+`}`...), nil
}

// takeMember takes a member out of arguments: nil where there is none.
func takeMember(args []byte, name string) (value json.RawMessage, rest []byte, err error) {
	if !bytes.Contains(args, []byte(name)) || args[0] != '{' {
		return nil, args, nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(args, &members); err != nil {
		return nil, nil, err
	}
	if members[name] == nil {
		return nil, args, nil
	}
	value = members[name]
	delete(members, name)
	rest, err = json.Marshal(members)
	return value, rest, err
}

// worker is on whose behalf a job with the arguments is done, and those without
// what says so.
func worker(args []byte) (*viewer.Viewer, []byte, error) {
	tenant, rest, err := takeMember(args, tenantMember)
	if tenant == nil || err != nil {
		return viewer.System(), rest, err
	}
	id, err := strconv.ParseInt(string(tenant), 10, 64)
	if err != nil || id == 0 {
		return nil, nil, fmt.Errorf("the tenant %s of the job is none", tenant)
	}
	return viewer.InTenant(id), rest, nil
}

// unique is the key that only one unfinished job of a kind has, within each
// tenant.
func unique(v *viewer.Viewer, key string) any {
	if v.Tenant != 0 && key != "" {
		key = "tenant " + strconv.FormatInt(v.Tenant, 10) + " " + key
	}
	return text(key)
}
