package dryrun

import "testing"

func TestSerialTypesAreThoseOfTheirValues(t *testing.T) {
	t.Parallel()
	for column, want := range map[string]string{"serial": "integer", "BIGSERIAL": "bigint", "smallserial": "smallint", "serial8": "bigint", "citext": "citext", "numeric(12,2)": "numeric(12,2)"} {
		if got := valueType(column); got != want {
			t.Errorf("values of %s are %s, want %s", column, got, want)
		}
	}
}
