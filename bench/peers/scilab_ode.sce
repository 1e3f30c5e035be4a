// SPDX-License-Identifier: MIT
// Machines with impacts by Scilab's ode("root", ...), LSODAR, as its users write them: a root, the impact, and a new
// start. Usage: scilab_ode.sce METHOD CASE RTOL NAME=VALUE...; prints as scipy_ivp.py.
mode(-1);
funcprot(0);
words = sciargs();
words = words(find(words == "-args") + 1:$);
for k = 4:size(words, "*")
    parts = strsplit(words(k), "=");
    execstr("p_" + parts(1) + " = " + parts(2) + ";");
end
select words(2)
case "bouncing-ball/lively" then
    x0 = [p_h; p_v0];
    deff("y = flow(t, x)", "y = [x(2); -p_g]");
    deff("y = guard(t, x)", "y = x(1)");
    deff("y = impact(x)", "y = [0; -p_e*x(2)]");
case "two-mass/forced" then
    x0 = [p_u1; p_v1; p_u3; p_v3];
    deff("y = flow(t, x)", ["y = [x(2); (p_f1*cos(p_omega*t + p_p1) - p_k1*x(1) - p_c1*x(2))/p_m1;"
        "x(4); (p_f2*cos(p_omega*t + p_p2) - p_k2*x(3) - p_c2*x(4))/p_m2]"]);
    deff("y = guard(t, x)", "y = x(3) - x(1)");
    deff("y = impact(x)", ["m = (p_m1*x(2) + p_m2*x(4))/(p_m1 + p_m2)"
        "a = p_e*(x(2) - x(4))/(p_m1 + p_m2)"
        "y = [x(1); m - p_m2*a; x(3); m + p_m1*a]"]);
else
    x0 = [p_x0; p_v0];
    deff("y = flow(t, x)", "y = [x(2); (p_F*cos(p_omega*t) - p_c*x(2) - p_k*x(1) - p_k_3*x(1)^3)/p_m]");
    deff("y = guard(t, x)", "y = x(1) - p_gap_r");
    deff("y = impact(x)", "y = [x(1); -p_e*x(2)]");
end
rtol = evstr(words(3));
best = %inf;
for k = 1:3
    times = [];
    t = 0;
    x = x0;
    tic();
    while t < p_t_end
        [y, found] = ode("root", x, t, p_t_end, rtol, rtol*1e-2, flow, 1, guard);
        if found(1) == 0 | found(1) >= p_t_end then break; end
        t = found(1);
        x = impact(y(:, $));
        times($ + 1) = t;
    end
    best = min(best, toc());
end
mprintf("time %.9g\n", best);
for k = 1:size(times, "*")
    mprintf("event %.17g\n", times(k));
end
exit(0);
