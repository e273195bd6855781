import { useState } from 'react'
import { toast } from 'sonner'

import { messageOf } from '../../api/failure.ts'
import { toMinor } from '../../money/money.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { DateText } from '../../ui/date-text.tsx'
import { SidePanel } from '../../ui/dialog.tsx'
import { Fact, FactList } from '../../ui/fact-list.tsx'
import { MoneyText } from '../../ui/money-text.tsx'
import { Notice } from '../../ui/notice.tsx'
import { FundForm } from './fund-form.tsx'
import { type User, useChangeStatus } from './queries.ts'
import { UserBadge } from './user-badge.tsx'

type PanelProps = { user: User | null; onClose: () => void }

export function UserPanel({ user, onClose }: PanelProps) {
  const [fundedId, setFundedId] = useState<string | null>(null)
  const isFunding = user !== null && fundedId === user.id
  return (
    <SidePanel
      open={user !== null}
      onOpenChange={(isOpen) => {
        if (isOpen) return
        setFundedId(null)
        onClose()
      }}
      title={isFunding ? `Fund ${user.name}` : (user?.name ?? '')}
      footer={
        user === null || isFunding ? null : (
          <Actions key={user.id} user={user} onFund={() => setFundedId(user.id)} />
        )
      }
    >
      {user !== null &&
        (isFunding ? (
          <FundForm user={user} onDone={() => setFundedId(null)} />
        ) : (
          <UserFacts user={user} />
        ))}
    </SidePanel>
  )
}

function UserFacts({ user }: { user: User }) {
  const [wallet] = user.wallet
  const address = [user.firstAddress, user.secondAddress, user.townCity].filter(Boolean).join(', ')
  return (
    <div className="grid gap-6">
      <div className="flex items-center gap-4">
        <Avatar name={user.name} photo={user.photo} className="size-14 text-20" />
        <div className="grid gap-1">
          <span className="break-all text-14 text-muted">{user.email}</span>
          <span>
            <UserBadge status={user.status} />
          </span>
        </div>
      </div>
      {wallet !== undefined && (
        <FactList>
          <Fact name="Balance">
            <MoneyText minor={toMinor(wallet.balance)} />
          </Fact>
          <Fact name="Profit">
            <MoneyText minor={toMinor(wallet.profit)} />
          </Fact>
          <Fact name="Referral balance">
            <MoneyText minor={toMinor(wallet.referralBalance)} />
          </Fact>
        </FactList>
      )}
      <FactList>
        <Fact name="E-mail confirmed">{user.isEmailVerified ? 'Yes' : 'No'}</Fact>
        <Fact name="Phone">{user.phone}</Fact>
        <Fact name="Country">{user.countryName}</Fact>
        <Fact name="Address">{address}</Fact>
        <Fact name="Account id">
          <span className="tabular">{user.accountId}</span>
        </Fact>
        <Fact name="Since">
          <DateText at={user.createdAt} format="moment" />
        </Fact>
      </FactList>
    </div>
  )
}

const VERBS = {
  pending: [
    { status: 'deny', label: 'Deny Access', look: 'danger' },
    { status: 'approve', label: 'Approve', look: 'primary' },
  ],
  active: [{ status: 'deactivate', label: 'Deactivate', look: 'danger' }],
  deactivated: [{ status: 'active', label: 'Activate', look: 'primary' }],
  denied: [{ status: 'active', label: 'Activate', look: 'primary' }],
} as const

function Actions({ user, onFund }: { user: User; onFund: () => void }) {
  const change = useChangeStatus()
  return (
    <div className="grid w-full gap-3">
      {change.isError && (
        <Notice tone="error">{messageOf(change.error, 'Failed to update status')}</Notice>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        {user.role === 'user' && user.status === 'active' && (
          <Button onClick={onFund}>Fund User</Button>
        )}
        {VERBS[user.status].map(({ status, label, look }) => (
          <Button
            key={status}
            look={look}
            pending={change.isPending && change.variables.status === status}
            disabled={change.isPending}
            onClick={() =>
              change.mutateAsync({ id: user.id, status }).then(
                () => toast.success("User's status changed successfully!"),
                () => {},
              )
            }
          >
            {label}
          </Button>
        ))}
      </div>
    </div>
  )
}
