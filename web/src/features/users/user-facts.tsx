import { exportUserBanks } from '@cairn/gateway-contracts'
import { formatCounted } from '@cairn/gateway-contracts/counted'

import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { Fact, FactList } from '../../shared/ui/fact-list.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import type { UserDetail } from './queries.ts'

const BANK_STATUS = {
  unconfirmed: 'not confirmed',
  cooling: 'waiting period',
  usable: 'active',
  archived: 'removed',
} as const

export function UserFacts({ detail }: { detail: UserDetail }) {
  const { user, referrer, referred, lastSeenAt } = detail
  const address = [user.firstAddress, user.secondAddress, user.townCity].filter(Boolean).join(', ')
  return (
    <FactList>
      <Fact name="Email confirmed">{user.isEmailVerified ? 'Yes' : 'No'}</Fact>
      <Fact name="Second factor">
        <SecondFactor user={user} />
      </Fact>
      <Fact name="Last seen">
        {lastSeenAt === null ? 'Never' : <DateText at={lastSeenAt} format="relative" />}
      </Fact>
      <Fact name="Phone">{user.phone}</Fact>
      <Fact name="Country">{user.countryName}</Fact>
      <Fact name="Address">
        <span className="break-words">{address}</span>
      </Fact>
      <Fact name="Account ID">
        <span className="tabular break-all">{user.accountId}</span>
      </Fact>
      {referrer !== undefined && (
        <Fact name="Referred by">
          <TextLink to={`/manage/admin/users/${referrer.id}`}>{referrer.name}</TextLink>
        </Fact>
      )}
      <Fact name="Users referred">
        {referred === 0 ? (
          'None'
        ) : (
          <TextLink to={`/manage/admin/referrals?referrer=${user.id}`}>
            {formatCounted(referred, 'person', 'people')}
          </TextLink>
        )}
      </Fact>
      <Fact name="Bank accounts">
        {user.bankAccounts.length === 0
          ? 'None'
          : user.bankAccounts.map((bank) => (
              <span key={bank.id} className="block break-words">
                {bank.bankName}, {bank.accountNumber} ({BANK_STATUS[bank.status]})
              </span>
            ))}
        {user.bankAccounts.length > 0 && (
          <span className="mt-2 block">
            <CsvLink endpoint={exportUserBanks} params={{ id: user.id }} what="bank accounts" />
          </span>
        )}
      </Fact>
      {user.credentialHoldUntil !== null && (
        <Fact name="Withdrawals paused until">
          <DateText at={user.credentialHoldUntil} format="moment" />
        </Fact>
      )}
      <Fact name="Registered">
        <DateText at={user.createdAt} format="moment" />
      </Fact>
    </FactList>
  )
}

/** An administrator without a second factor is a risk for all users. */
function SecondFactor({ user: { role, isMfaEnabled } }: Pick<UserDetail, 'user'>) {
  if (isMfaEnabled) return 'On'
  return <span className={role === 'admin' ? 'font-medium text-pending' : undefined}>Off</span>
}
