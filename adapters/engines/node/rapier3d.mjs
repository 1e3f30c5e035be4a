// SPDX-License-Identifier: MIT
import {serve} from './protocol.mjs';
import {rapier} from './rapier.mjs';
import R from '@dimforge/rapier3d-compat';

await R.init();
await serve(rapier(R, 'rapier3d', false));
