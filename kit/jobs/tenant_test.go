package jobs_test

import (
	"context"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/viewer"
)

// free are arguments of any form, as a careless client could make them.
type free map[string]any

func (free) Kind() string { return "free" }

func TestAJobHasTheTenantOfWhoEnqueuedIt(t *testing.T) {
	each(t, func(k *kit) {
		var tenants []int64
		var across []bool
		r := jobs.NewRunner(k.db, k.bus, discard, jobs.Handle(jobs.HandlerFunc[free](func(ctx context.Context, j *jobs.Job[free]) error {
			if len(j.Args) != 1 || j.Args["note"] != "mine" {
				k.Errorf("the arguments are %v", j.Args)
			}
			tenants, across = append(tenants, viewer.From(ctx).Tenant), append(across, viewer.From(ctx).Across)
			return k.effect(ctx, j.ID)
		})))
		k.Cleanup(func() { r.Stop(context.Background()) })
		ids := map[int64]bool{}
		for _, v := range []*viewer.Viewer{{Tenant: 3}, viewer.InTenant(4), viewer.System(), viewer.AcrossTenants()} {
			id, err := k.client.Enqueue(viewer.With(k.ctx, v), free{"note": "mine"}, jobs.Options{Unique: "one"})
			if err != nil {
				k.Fatal(err)
			}
			if !ids[id] {
				k.run(r, id)
			}
			ids[id] = true
		}
		if len(tenants) != 4 || tenants[0] != 3 || tenants[1] != 4 || tenants[2] != 0 || across[3] {
			k.Errorf("jobs were done for the tenants %v, %v across all", tenants, across)
		}
		for _, v := range []*viewer.Viewer{viewer.System(), viewer.InTenant(4)} {
			if _, err := k.client.Enqueue(viewer.With(k.ctx, v), free{"$tenant": 9}, jobs.Options{}); err == nil || !strings.Contains(err.Error(), "have no member") {
				k.Errorf("arguments that name a tenant: %v", err)
			}
		}
	})
}
