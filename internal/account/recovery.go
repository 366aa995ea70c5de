package account

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/recoverycode"
	"github.com/entwine-go/entwine/ent/typedid"
)

// Recovery codes take the place of one-time codes for who has lost the phone:
// ten of them, each for once, of 80 bits in four groups.
const (
	recoveryCodes    = 10
	recoveryCodeLen  = 16
	recoveryGroupLen = 4
)

// newRecoveryCodes replaces the user's recovery codes and returns the new ones.
func (f *SecondFactor) newRecoveryCodes(ctx context.Context, user typedid.UserID) ([]string, error) {
	client := orm.Client(f.DB)
	if _, err := client.RecoveryCode.Delete().Where(recoverycode.UserID(user)).Exec(ctx); err != nil {
		return nil, fmt.Errorf("remove recovery codes of user %d: %w", user, err)
	}
	codes := make([]string, recoveryCodes)
	rows := make([]*ent.RecoveryCodeCreate, recoveryCodes)
	for i := range codes {
		code := strings.ToLower(rand.Text()[:recoveryCodeLen])
		rows[i] = client.RecoveryCode.Create().SetUserID(user).SetCodeHash(f.Vault.mac(forRecovery, recoveryText(user, code)))
		codes[i] = grouped(code)
	}
	if err := client.RecoveryCode.CreateBulk(rows...).Exec(ctx); err != nil {
		return nil, fmt.Errorf("create recovery codes of user %d: %w", user, err)
	}
	return codes, nil
}

// useRecoveryCode reports whether the code is one of the user's that has not
// been used. It now is.
func (f *SecondFactor) useRecoveryCode(ctx context.Context, user typedid.UserID, code string, now time.Time) (bool, error) {
	n, err := orm.Client(f.DB).RecoveryCode.Update().
		Where(recoverycode.UserID(user), recoverycode.UsedAtIsNil(),
			recoverycode.CodeHashIn(f.Vault.macs(forRecovery, recoveryText(user, code))...)).
		SetUsedAt(now).Save(ctx)
	if err != nil {
		return false, fmt.Errorf("use recovery code of user %d: %w", user, err)
	}
	return n == 1, nil
}

func recoveryText(user typedid.UserID, code string) string { return fmt.Sprintf("%d %s", user, code) }

func grouped(code string) string {
	var b strings.Builder
	for i, c := range code {
		if i > 0 && i%recoveryGroupLen == 0 {
			b.WriteByte('-')
		}
		b.WriteRune(c)
	}
	return b.String()
}
