import { useQuery } from '@tanstack/react-query'
import { ShieldCheck, ShieldOff } from 'lucide-react'
import { useState } from 'react'

import { Badge } from '../../shared/ui/badge.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Fact, FactList } from '../../shared/ui/fact-list.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { DisableForm, RenewForm } from './change-forms.tsx'
import { MfaSetup } from './mfa-setup.tsx'
import { mfaQueries, useReadAgain } from './queries.ts'

type Asked = 'set-up' | 'disable' | 'renew' | null
const TITLES = {
  'set-up': 'Set up two-factor authentication',
  disable: 'Turn off two-factor authentication',
  renew: 'New recovery codes',
} as const

export function MfaCard() {
  const mfa = useQuery(mfaQueries.readOwnFactors())
  const readAgain = useReadAgain()
  const [asked, setAsked] = useState<Asked>(null)
  const finishSetup = () => {
    setAsked(null)
    void readAgain()
  }
  return (
    <Card>
      <CardHeader
        title="Two-factor authentication"
        action={
          mfa.data === undefined ? undefined : mfa.data.hasFactor ? (
            <Badge tone="success" icon={ShieldCheck} word="On" />
          ) : (
            <Badge tone="neutral" icon={ShieldOff} word="Off" />
          )
        }
      />
      <div className="grid gap-4 p-5 text-14">
        {mfa.isError && mfa.data === undefined && (
          <FailedState
            message="The state of two-factor authentication could not be loaded."
            error={mfa.error}
            onRetry={mfa.refetch}
            pending={mfa.isFetching}
          />
        )}
        {mfa.isPending && <Skeleton className="h-20 w-full" />}
        {mfa.data?.isEnabled === false && (
          <>
            <p className="text-muted">
              {mfa.data.hasFactor
                ? 'Your passkey counts as both factors. An authenticator app is another way to confirm a login.'
                : 'With a second factor, a stolen password is not enough to log in. Each login also asks for a six-digit code from an app on your phone.'}
            </p>
            <Button
              look={mfa.data.hasFactor ? 'secondary' : 'primary'}
              className="w-fit"
              onClick={() => setAsked('set-up')}
            >
              {mfa.data.hasFactor ? 'Set up an authenticator app' : 'Set up'}
            </Button>
            {mfa.data.hasFactor && (
              <>
                <FactList>
                  <Fact name="Recovery codes left">{mfa.data.recoveryCodesLeft}</Fact>
                </FactList>
                <Button className="w-fit" onClick={() => setAsked('renew')}>
                  New recovery codes
                </Button>
              </>
            )}
          </>
        )}
        {mfa.data?.isEnabled === true && (
          <>
            <FactList>
              {mfa.data.enabledAt !== null && (
                <Fact name="On since">
                  <DateText at={mfa.data.enabledAt} format="moment" />
                </Fact>
              )}
              <Fact name="Recovery codes left">{mfa.data.recoveryCodesLeft}</Fact>
            </FactList>
            <div className="flex flex-wrap gap-2">
              <Button onClick={() => setAsked('renew')}>New recovery codes</Button>
              {!mfa.data.isRequired && (
                <Button look="danger" onClick={() => setAsked('disable')}>
                  Turn off
                </Button>
              )}
            </div>
          </>
        )}
      </div>
      <Dialog
        open={asked !== null}
        // If two-factor authentication is already on when the user closes the dialog, it stays on.
        // The recovery codes are then not shown again.
        onOpenChange={(isOpen) => !isOpen && finishSetup()}
        title={asked === null ? '' : TITLES[asked]}
      >
        {asked === 'set-up' && (
          <MfaSetup hasFactor={mfa.data?.hasFactor === true} onDone={finishSetup} />
        )}
        {asked === 'disable' && <DisableForm onDone={finishSetup} />}
        {asked === 'renew' && (
          <RenewForm hasApp={mfa.data?.isEnabled === true} onDone={finishSetup} />
        )}
      </Dialog>
    </Card>
  )
}
