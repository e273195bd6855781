import { CopyButton } from '../../shared/ui/copy-button.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'

const COPIED_SECONDS = 3

export function ReferralLinkPlaceholder() {
  return (
    <div className="grid grid-cols-1 content-start gap-2">
      <Skeleton className="h-8.5 w-full rounded-card" />
      <Skeleton className="h-8 w-20 rounded-card" />
    </div>
  )
}

/** Shows the referral link on one line, with a button that copies it. */
export function ReferralLink({ link }: { link: string }) {
  return (
    <div className="grid grid-cols-1 content-start gap-2">
      <p
        title={link}
        className="truncate rounded-card border border-line bg-sunken px-3 py-2 text-12"
      >
        {link.replace(/^https?:\/\//, '')}
      </p>
      <CopyButton
        text={link}
        label="Copy the referral link"
        notice="Copied to clipboard!"
        noticeSeconds={COPIED_SECONDS}
      />
    </div>
  )
}
