import { Card } from '../../shared/ui/card.tsx'
import { CopyButton } from '../../shared/ui/copy-button.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'

const COPIED_SECONDS = 2

/** `reference` is null while it loads, or if it is missing. */
type ReferenceProps = { reference: string | null; isMissing: boolean }

/**
 * Shows the reference for the bank transfer. The reference stays the same until a deposit uses it,
 * because a transfer can take days.
 */
export function QuotedReference({ reference, isMissing }: ReferenceProps) {
  if (reference === null) {
    return isMissing ? null : <Skeleton className="h-32 w-full rounded-card" />
  }
  return (
    <Card className="grid gap-2 p-5">
      <h3 className="text-14 text-muted">Reference to quote in your transfer</h3>
      <p className="tabular break-all font-medium text-16">{reference}</p>
      <CopyButton
        text={reference}
        label="Copy the reference"
        notice="Copied to clipboard!"
        noticeSeconds={COPIED_SECONDS}
      />
      <p className="text-14 text-muted">
        Enter it as the purpose or note of the payment, if there is such a field. It identifies this
        deposit.
      </p>
    </Card>
  )
}
