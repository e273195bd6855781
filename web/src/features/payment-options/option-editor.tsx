import { PayOption } from '@cairn/gateway-contracts'
import { useState } from 'react'
import { useForm } from 'react-hook-form'

import { getFieldErrors } from '../../shared/api/failure.ts'
import { ActFailure } from '../../shared/ui/act-failure.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { ConfirmStep } from '../../shared/ui/confirm-step.tsx'
import { CopyButton } from '../../shared/ui/copy-button.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { FileDrop } from '../../shared/ui/file-drop.tsx'
import { Checkbox, Input, Select, Textarea } from '../../shared/ui/inputs.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { describePictureLimits } from '../../shared/ui/picture-file.ts'
import { StoredPicture } from '../../shared/ui/stored-picture.tsx'
import { ChangeReason, toReason } from '../changes/index.ts'
import { type OptionForm, useDeleteOption, useSaveOption } from './admin-queries.ts'
import { type PaymentOption, paymentOptionQueries } from './queries.ts'

const COPIED_SECONDS = 2

type EditorProps = { option: PaymentOption | null; onDone: () => void }

export function OptionEditor({ option, onDone }: EditorProps) {
  const save = useSaveOption()
  const [image, setImage] = useState<File | null>(null)
  const [reason, setReason] = useState('')
  const { register, handleSubmit, watch } = useForm<OptionForm>({
    defaultValues: toFormValues(option),
  })
  const payOption = watch('payOption')
  const served = getFieldErrors(save.error)
  const submit = handleSubmit((form) =>
    save.mutate(
      { option, form: { ...form, ...toReason(reason) }, image },
      {
        onSuccess: () => {
          notifySuccess(`Payment option ${option === null ? 'added' : 'updated'} successfully!`)
          onDone()
        },
      },
    ),
  )
  return (
    <form onSubmit={(event) => void submit(event)} className="grid gap-4">
      <Field label="Type" error={served.payOption}>
        {(ids) => (
          <Select {...ids} {...register('payOption')}>
            {PayOption.options.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Bank or network" error={served.bank}>
        {(ids) => <Input {...ids} required maxLength={120} {...register('bank')} />}
      </Field>
      <Field label="Account number or wallet address" error={served.accountNumber}>
        {(ids) => <Input {...ids} required maxLength={200} {...register('accountNumber')} />}
      </Field>
      {option !== null && (
        <div className="-mt-2 grid justify-items-start gap-2">
          {/* A field shows only a part of a long address. */}
          <span className="break-all font-mono text-12 text-muted">{option.accountNumber}</span>
          <CopyButton
            text={option.accountNumber}
            label="Copy the stored account number or address"
            notice="Copied to clipboard!"
            noticeSeconds={COPIED_SECONDS}
          />
        </div>
      )}
      {payOption === 'Crypto Wallet' && (
        <Field
          label="Explorer link"
          optional
          hint="Address of a block explorer, with {hash} for the transaction hash: https://mempool.space/tx/{hash}"
          error={served.explorerUrl}
        >
          {(ids) => <Input {...ids} maxLength={300} {...register('explorerUrl')} />}
        </Field>
      )}
      <Field label="Note" optional error={served.extra}>
        {(ids) => <Textarea {...ids} rows={2} maxLength={1000} {...register('extra')} />}
      </Field>
      {option !== null && option.image !== null && (
        <div className="min-h-32">
          <StoredPicture
            src={option.image}
            check={paymentOptionQueries.checkImage(option.id)}
            failed="The QR code could not be loaded."
            changed="The stored QR code is not the one that was uploaded, so it is not shown. Compare the account number or address, and upload the QR code again."
          >
            <img
              src={option.image}
              alt={`QR code of ${option.bank}`}
              className="size-32 rounded-card border border-line bg-white object-contain"
            />
          </StoredPicture>
        </div>
      )}
      <FileDrop
        label={option?.image ? 'New QR code (optional)' : 'QR code (optional)'}
        hint={describePictureLimits()}
        file={image}
        onFile={setImage}
        error={served.image ?? null}
      />
      <Checkbox label="Visible to investors" {...register('displayStatus')} />
      <ChangeReason value={reason} onChange={setReason} error={served.reason} />
      <ActFailure error={save.error} fallback="The payment option could not be saved." />
      <div className="flex flex-wrap items-center gap-2">
        {option !== null && <Remove option={option} reason={reason} onDone={onDone} />}
        <Button type="submit" look="primary" className="ml-auto" pending={save.isPending}>
          {option === null ? 'Add payment option' : 'Save'}
        </Button>
      </div>
    </form>
  )
}

type RemoveProps = { option: PaymentOption; reason: string; onDone: () => void }

function Remove({ option, reason, onDone }: RemoveProps) {
  return (
    <ConfirmStep
      label="Delete"
      text={`Investors can no longer deposit to ${option.bank}. Earlier deposits are not changed.`}
      confirmLabel="Delete the option"
      fallback="Failed to delete payment option"
      action={useDeleteOption(option.id, toReason(reason))}
      onDone={() => {
        notifySuccess('Payment option deleted successfully!')
        onDone()
      }}
    />
  )
}

function toFormValues(option: PaymentOption | null): OptionForm {
  return {
    payOption: option?.payOption ?? 'Bank Transfer',
    bank: option?.bank ?? '',
    accountNumber: option?.accountNumber ?? '',
    extra: option?.extra ?? '',
    explorerUrl: option?.explorerUrl ?? '',
    displayStatus: option?.displayStatus ?? true,
  }
}
