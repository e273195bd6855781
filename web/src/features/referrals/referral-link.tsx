import { CopyButton } from '../../shared/ui/copy-button.tsx'

const COPIED_SECONDS = 3

/** Shows the referral link and the information for referred people. */
export function ReferralLink({ link }: { link: string }) {
  return (
    <div className="grid gap-2">
      <p className="break-all rounded-card bg-sunken px-3 py-2 text-12">{link}</p>
      <CopyButton
        text={link}
        label="Copy the referral link"
        notice="Copied to clipboard!"
        noticeSeconds={COPIED_SECONDS}
      />
      <p className="text-12 text-muted">
        When a user you referred invests, you earn the bonus of their plan. It is added to your
        referral balance after their cooling-off period, and taken back if the investment ends
        early. Investors can lose all the money they invest.
      </p>
    </div>
  )
}
