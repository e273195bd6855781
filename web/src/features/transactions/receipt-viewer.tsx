import { ExternalLink, ZoomIn, ZoomOut } from 'lucide-react'
import { useState } from 'react'

import { IconButton } from '../../shared/ui/button.tsx'
import { StoredPicture } from '../../shared/ui/stored-picture.tsx'
import { TermInfo } from '../../shared/ui/term-info.tsx'
import { transactionQueries } from './queries.ts'

const ZOOMS = [100, 150, 200, 300, 400] as const

/**
 * Shows the picture of a receipt, fitted to the width. A zoomed picture scrolls inside its frame.
 */
export function ReceiptViewer({ path, transactionId }: { path: string; transactionId: string }) {
  const [step, setStep] = useState(0)
  const zoom = ZOOMS[step] ?? 100
  return (
    <figure className="grid content-start gap-2">
      <figcaption className="flex items-center justify-between gap-3">
        <span className="font-medium text-14">
          Payment proof
          <TermInfo term="payment proof" />
        </span>
        <span className="flex items-center">
          <span role="status" className="tabular pr-2 text-12 text-muted">
            {zoom}%
          </span>
          <IconButton label="Zoom out" disabled={step === 0} onClick={() => setStep(step - 1)}>
            <ZoomOut aria-hidden="true" className="size-5" />
          </IconButton>
          <IconButton
            label="Zoom in"
            disabled={step === ZOOMS.length - 1}
            onClick={() => setStep(step + 1)}
          >
            <ZoomIn aria-hidden="true" className="size-5" />
          </IconButton>
          <a
            href={path}
            target="_blank"
            rel="noreferrer"
            aria-label="Open the payment proof in full size"
            className="inline-flex size-10 items-center justify-center rounded-card text-muted hover:bg-sunken hover:text-ink"
          >
            <ExternalLink aria-hidden="true" className="size-5" />
          </a>
        </span>
      </figcaption>
      <StoredPicture
        src={path}
        check={transactionQueries.checkReceipt(transactionId)}
        failed="The payment proof could not be loaded."
        changed="The stored picture is not the one that the investor uploaded, so it is not shown. Report this to the owner of the site."
      >
        <section
          aria-label="Picture of the payment proof"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
          tabIndex={0}
          className="h-[26rem] overflow-auto rounded-card border border-line bg-sunken lg:h-[calc(100dvh-16rem)]"
        >
          <img
            src={path}
            alt="Payment proof uploaded by the investor"
            style={{ width: `${zoom}%` }}
            className="max-w-none"
          />
        </section>
      </StoredPicture>
    </figure>
  )
}
