% SPDX-License-Identifier: MIT
% Machines with impacts by Octave's ode45, as its users write them: a terminal event, the impact, and a new
% start. Usage: octave_ode.m METHOD CASE RTOL NAME=VALUE...; prints as scipy_ivp.py.
1;
function [value, stops, direction] = event_of(value, direction)
  stops = 1;
end
function y = collide(p, x)
  mean = (p.m1*x(2) + p.m2*x(4))/(p.m1 + p.m2);
  apart = p.e*(x(2) - x(4))/(p.m1 + p.m2);
  y = [x(1); mean - p.m2*apart; x(3); mean + p.m1*apart];
end
function times = play(solve, flow, guard, direction, impact, x, rtol, t_end)
  options = odeset("RelTol", rtol, "AbsTol", rtol*1e-2, "Events", @(t, x) event_of(guard(x), direction));
  times = [];
  t = 0;
  while t < t_end
    [ts, xs, te] = solve(flow, [t, t_end], x, options);
    if isempty(te) || ts(end) >= t_end, break; end
    t = ts(end);
    x = impact(xs(end, :).');
    times(end + 1) = t;
  end
end
words = argv();
p = struct();
for k = 4:numel(words)
  parts = strsplit(words{k}, "=");
  p.(parts{1}) = str2double(parts{2});
end
switch words{2}
  case "bouncing-ball/lively"
    x = [p.h; p.v0]; direction = -1;
    flow = @(t, x) [x(2); -p.g]; guard = @(x) x(1); impact = @(x) [0; -p.e*x(2)];
  case "two-mass/forced"
    x = [p.u1; p.v1; p.u3; p.v3]; direction = -1; guard = @(x) x(3) - x(1); impact = @(x) collide(p, x);
    flow = @(t, x) [x(2); (p.f1*cos(p.omega*t + p.p1) - p.k1*x(1) - p.c1*x(2))/p.m1;
                    x(4); (p.f2*cos(p.omega*t + p.p2) - p.k2*x(3) - p.c2*x(4))/p.m2];
  otherwise
    x = [p.x0; p.v0]; direction = 1; guard = @(x) x(1) - p.gap_r; impact = @(x) [x(1); -p.e*x(2)];
    flow = @(t, x) [x(2); (p.F*cos(p.omega*t) - p.c*x(2) - p.k*x(1) - p.k_3*x(1)^3)/p.m];
end
solve = str2func(words{1});
best = Inf;
for k = 1:3
  begin = cputime();
  times = play(solve, flow, guard, direction, impact, x, str2double(words{3}), p.t_end);
  best = min(best, cputime() - begin);
end
printf("time %.9g\n", best);
printf("event %.17g\n", times);
