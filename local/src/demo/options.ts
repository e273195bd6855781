import type { PaymentOptionForm } from '@cairn/gateway-contracts'

/** Payment options of all kinds, with fictional accounts. */
export const DEMO_OPTIONS: readonly PaymentOptionForm[] = [
  {
    payOption: 'Bank Transfer',
    bank: 'First Harbor Bank (demo)',
    accountNumber: '0000000000',
    extra: 'Account holder: Cairn Demo\nDemo account: do not send money.',
  },
  {
    payOption: 'Mobile Wallet',
    bank: 'PocketPay (demo)',
    accountNumber: '+1 555 010 0000',
    extra: 'Demo wallet: do not send money.',
  },
  {
    payOption: 'Crypto Wallet',
    bank: 'Bitcoin (demo)',
    accountNumber: '1BitcoinEaterAddressDontSendf59kuE',
    extra: 'Demo address: coins sent here are lost.',
  },
  {
    payOption: 'Crypto Wallet',
    bank: 'USDT on Tron (demo)',
    accountNumber: 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb',
    extra: 'Demo address: coins sent here are lost.',
  },
]
