/** The coins that the name of a network can contain, each as a ticker and as words. */
const COINS = [
  ['BTC', /\b(?:bitcoin|btc)\b/i],
  ['ETH', /\b(?:ethereum|eth)\b/i],
  ['USDT', /\b(?:tether|usdt)\b/i],
  ['USDC', /\b(?:usd coin|usdc)\b/i],
  ['TRX', /\b(?:tron|trx)\b/i],
  ['SOL', /\b(?:solana|sol)\b/i],
  ['LTC', /\b(?:litecoin|ltc)\b/i],
  ['XRP', /\b(?:ripple|xrp)\b/i],
  ['BNB', /\b(?:binance|bnb)\b/i],
  ['DOGE', /\b(?:dogecoin|doge)\b/i],
] as const

export type Coin = (typeof COINS)[number][0]

/**
 * Returns the ticker of the first coin in the name of a network, such as `USDT` for `USDT on Tron`;
 * null if the name contains no coin.
 */
export function findCoin(network: string): Coin | null {
  const found = COINS.map(([ticker, words]) => ({ ticker, at: network.search(words) }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at)
  return found[0]?.ticker ?? null
}
