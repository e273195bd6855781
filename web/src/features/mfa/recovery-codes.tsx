import { Download } from 'lucide-react'
import { useState } from 'react'
import { useSite } from '../../shared/site/site.ts'
import { Button } from '../../shared/ui/button.tsx'
import { CopyButton } from '../../shared/ui/copy-button.tsx'
import { Checkbox } from '../../shared/ui/inputs.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { saveFile } from '../../shared/ui/save-file.ts'

const COPIED_SECONDS = 3

/** Shows the codes once. The user can continue only after confirming that they are saved. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const [isKept, setKept] = useState(false)
  const { name } = useSite()
  const text = `Recovery codes for ${name}. Each works once.\n\n${codes.join('\n')}\n`
  return (
    <div className="grid gap-5">
      <Notice tone="warning">
        These are your recovery codes. Without your phone, you can use each code once. They are
        shown only once.
      </Notice>
      <ul
        aria-label="Recovery codes"
        className="tabular grid gap-x-6 gap-y-1 rounded-card bg-sunken p-4 text-16 sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code} className="break-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          size="small"
          onClick={() => saveFile({ name: 'recovery-codes.txt', text, mediaType: 'text/plain' })}
        >
          <Download aria-hidden="true" className="size-3.5" />
          Download
        </Button>
        <CopyButton
          text={text}
          label="Copy the recovery codes"
          notice="Copied to clipboard!"
          noticeSeconds={COPIED_SECONDS}
        />
      </div>
      <Checkbox
        label="I have stored these codes where I can find them without my phone."
        checked={isKept}
        onChange={(event) => setKept(event.target.checked)}
      />
      <Button look="primary" className="w-fit" disabled={!isKept} onClick={onKept}>
        Continue
      </Button>
    </div>
  )
}
