import { Card } from '../../shared/ui/card.tsx'
import { CopyButton } from '../../shared/ui/copy-button.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { StoredPicture } from '../../shared/ui/stored-picture.tsx'
import { OptionIcon, type PaymentOption, paymentOptionQueries } from '../payment-options/index.ts'

const COPIED_SECONDS = 2

export function OptionDetails({ option }: { option: PaymentOption }) {
  const isCrypto = option.payOption === 'Crypto Wallet'
  return (
    <Card className="grid gap-4 p-5">
      <div className="flex items-center gap-4">
        <OptionIcon option={option} />
        <div className="grid">
          <h2 className="font-semibold text-16">{option.payOption}</h2>
          <p className="text-14 text-muted">{isCrypto ? `Network: ${option.bank}` : option.bank}</p>
        </div>
      </div>
      <div className="grid gap-2 border-line border-t pt-4">
        <p className="text-14 text-muted">{isCrypto ? 'Wallet address' : 'Account number'}</p>
        <p className="break-all font-mono text-16">{option.accountNumber}</p>
        <CopyButton
          text={option.accountNumber}
          label={isCrypto ? 'Copy the wallet address' : 'Copy the account number'}
          notice="Copied to clipboard!"
          noticeSeconds={COPIED_SECONDS}
        />
      </div>
      {isCrypto && (
        <Notice tone="warning">
          Send only {option.bank} to this address. Any other coin, or this coin over another
          network, is lost and cannot be returned.
        </Notice>
      )}
      {option.image !== null && (
        // The message has the height of the picture, so that nothing below moves.
        <div className="min-h-44">
          <StoredPicture
            src={option.image}
            check={paymentOptionQueries.checkImage(option.id)}
            failed="The QR code could not be loaded."
            advice={`Use the ${isCrypto ? 'address' : 'account number'} above instead.`}
            changed="The stored QR code is not the one that was uploaded, so it is not shown. Contact us before you send money."
          >
            <img
              src={option.image}
              alt={`QR code of the address ${option.accountNumber}`}
              className="size-44 rounded-card border border-line bg-[#fff] object-contain p-2"
            />
          </StoredPicture>
        </div>
      )}
      {option.extra !== null && option.extra !== '' && (
        <p className="whitespace-pre-line text-14 text-muted">{option.extra}</p>
      )}
    </Card>
  )
}
