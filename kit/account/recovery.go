package account

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/store/statement"
)

// Recovery codes take the place of one-time codes for who has lost the phone:
// ten of them, each for once, of 80 bits in four groups.
const (
	recoveryCodes    = 10
	recoveryCodeLen  = 16
	recoveryGroupLen = 4
)

var (
	forgetCodesText = statement.Of(`DELETE FROM recovery_codes WHERE user_id = $1`)
	createCodesText = statement.Of(`INSERT INTO recovery_codes (created_at, user_id, code_hash) VALUES ` + codeRows())
	useCodeText     = statement.Of(`UPDATE recovery_codes SET used_at = $2 WHERE user_id = $1 AND used_at IS NULL AND code_hash IN ($more)`)
)

// codeRows are the rows of a user's codes: the user is the first argument.
func codeRows() string {
	rows := make([]string, recoveryCodes)
	for i := range rows {
		rows[i] = fmt.Sprintf("(now(), $1, $%d)", i+2)
	}
	return strings.Join(rows, ", ")
}

// newRecoveryCodes replaces the user's recovery codes and returns the new ones.
func (f *SecondFactor) newRecoveryCodes(ctx context.Context, user int64) ([]string, error) {
	if _, err := forgetCodesText.Exec(ctx, f.DB, user); err != nil {
		return nil, fmt.Errorf("remove recovery codes of user %d: %w", user, err)
	}
	codes := make([]string, recoveryCodes)
	row := []any{user}
	for i := range codes {
		code := strings.ToLower(rand.Text()[:recoveryCodeLen])
		row = append(row, f.Vault.mac(forRecovery, recoveryText(user, code)))
		codes[i] = grouped(code)
	}
	if _, err := createCodesText.Exec(ctx, f.DB, row...); err != nil {
		return nil, fmt.Errorf("create recovery codes of user %d: %w", user, err)
	}
	return codes, nil
}

// useRecoveryCode reports whether the code is one of the user's that has not
// been used. It now is.
func (f *SecondFactor) useRecoveryCode(ctx context.Context, user int64, code string, now time.Time) (bool, error) {
	use, macs := useCodeText.More(2, f.Vault.macs(forRecovery, recoveryText(user, code))...)
	n, err := use.Exec(ctx, f.DB, append([]any{user, now}, macs...)...)
	if err != nil {
		return false, fmt.Errorf("use recovery code of user %d: %w", user, err)
	}
	return n == 1, nil
}

func recoveryText(user int64, code string) string { return fmt.Sprintf("%d %s", user, code) }

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
