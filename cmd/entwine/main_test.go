package main_test

import (
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

func TestMain(m *testing.M) { trial.Main(m) }
