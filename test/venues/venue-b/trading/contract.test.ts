// The contract of every venue's trading, on venue B.

import { tradingContract } from '../../trading-contract.ts';
import { VenueBTradingRig } from './trading-rig.ts';

tradingContract('venue B', () => VenueBTradingRig.open());
