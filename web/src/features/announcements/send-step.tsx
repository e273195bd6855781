import {
  ANNOUNCEMENT_PAUSE_HOURS,
  type previewAnnouncement,
  type ResponseOf,
} from '@cairn/gateway-contracts'
import { useState } from 'react'

import { getFieldErrors } from '../../shared/api/failure.ts'
import { ActFailure } from '../../shared/ui/act-failure.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Consequence } from '../../shared/ui/consequence.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { EmailPreview } from '../../shared/ui/email-preview.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { ChangeReason, toReason, useIsDualControl } from '../changes/index.ts'
import { describeAudience, describeSending } from './describe-audience.ts'

type SendStepProps = {
  shown: ResponseOf<typeof previewAnnouncement>
  send: { isPending: boolean; error: unknown; start: (reason: { reason?: string }) => void }
  onBack: () => void
}

/** Shows the email, states the consequence of sending it, and sends it. */
export function SendStep({ shown: { preview, audience }, send, onBack }: SendStepProps) {
  const [reason, setReason] = useState('')
  const isDualControl = useIsDualControl()
  const canSend = audience.nextAt === null && audience.recipients > 0
  return (
    <div className="grid gap-4">
      <EmailPreview {...preview} />
      {canSend && <Consequence>{describeSending(audience, isDualControl)}</Consequence>}
      {audience.nextAt !== null && (
        <Notice tone="info">
          Each kind can be sent once in {ANNOUNCEMENT_PAUSE_HOURS} hours. The next one can be sent
          from <DateText at={audience.nextAt} format="moment" />.
        </Notice>
      )}
      {audience.recipients === 0 && <Notice tone="info">{describeAudience(audience)}</Notice>}
      {canSend && (
        <ChangeReason
          value={reason}
          onChange={setReason}
          error={getFieldErrors(send.error).reason}
        />
      )}
      <ActFailure error={send.error} fallback="The announcement was not sent." />
      <div className="flex justify-between gap-3">
        <Button onClick={onBack} disabled={send.isPending}>
          Back
        </Button>
        <Button
          look="primary"
          pending={send.isPending}
          disabled={!canSend}
          onClick={() => send.start(toReason(reason))}
        >
          {isDualControl ? 'Send for approval' : 'Send'}
        </Button>
      </div>
    </div>
  )
}
